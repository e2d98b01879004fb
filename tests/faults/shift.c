// Shifting by as many bits as there are.  Result: arithmetic.
// -DNEGATIVE by a negative number: arithmetic.
// -DRIGHT to the right: arithmetic.
// -DLAST by one less: correct.
// Expect: shift
// Expect: shift.c:@left
// Expect-NEGATIVE: shift.c:@negative
// Expect-RIGHT: shift.c:@right
int main(int argc, char **argv)
{
    (void)argv;
    unsigned one = (unsigned)argc;
    int bits = argc + 31;
#if defined NEGATIVE
    return (int)(one << (bits - 33)); // @negative
#elif defined RIGHT
    return (int)(one >> bits); // @right
#elif defined LAST
    return (one << (bits - 1)) == 0x80000000u ? 0 : 1;
#else
    return (int)(one << bits); // @left
#endif
}
