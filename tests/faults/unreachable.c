// What the program promises never to reach.  Result: unreachable.
// -DTRAP a trap: unreachable or assertion violation.
// Expect: unreachable.c:@here
int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 1)
#ifdef TRAP
        __builtin_trap();
#else
        __builtin_unreachable(); // @here
#endif
    return 0;
}
