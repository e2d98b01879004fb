// A function that is nowhere defined is called.  Result: refused.
// -DUNUSED is named, but not called: correct.
// Expect: nowhere
#include <stdio.h>

int nowhere(int x);

int main(int argc, char **argv)
{
    (void)argv;
#ifdef UNUSED
    if (argc > 1)
        return nowhere(1);
    return 0;
#else
    return nowhere(argc);
#endif
}
