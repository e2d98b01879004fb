// A function that is nowhere defined, and was declared without a prototype, is called: that it
// is absent is told first.  Result: refused.
// -DPOINTER through a pointer: refused.
// -DTWICE it is declared in two ways: refused.
// Options: -std=gnu17 -Xclang -w
// Expect: call of nowhere, which is not defined anywhere
// Expect-POINTER: call of nowhere, which is not defined anywhere
// Expect-TWICE: call of nowhere, which is not defined anywhere
int nowhere();

int main(int argc, char **argv)
{
#ifdef POINTER
    int (*volatile call)() = nowhere;
    return call(argv, 0.5);
#elif defined TWICE
    return argc > 5 ? nowhere(1) : nowhere("a", argv);
#else
    return nowhere(argc);
#endif
}
