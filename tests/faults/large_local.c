// A local array of more than 2 GiB.  Result: incomplete.
// Expect: .*a local variable of more than 2 GiB
// -DLENGTH has a length that is computed: incomplete.

int main(int argc, char **argv)
{
    (void)argv;
#ifdef LENGTH
    unsigned long length = (1ul << 32) + 15 + (unsigned)argc;
    volatile char large[length];
#else
    volatile char large[(1ul << 32) + 16];
    (void)argc;
#endif
    large[20] = 2;
    return large[20] - 2;
}
