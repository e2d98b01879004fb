// A pointer made of a number that is no address.  Result: memory error.
// -DARITHMETIC from one object to another by the difference of their
// addresses: memory error.
// -DFUNCTION reads the code of a function: memory error.
// Expect: wild_pointer.c:@number
// Expect-ARITHMETIC: wild_pointer.c:@difference
// Expect-FUNCTION: wild_pointer.c:@code
#include <stdint.h>

static int a, b;

int main(int argc, char **argv)
{
    (void)argv;
#if defined ARITHMETIC
    char *p = (char *)&a;
    p += ((intptr_t)&b - (intptr_t)&a) * argc + 64;
    *p = 1; // @difference
#elif defined FUNCTION
    const unsigned char *p = (const unsigned char *)(uintptr_t)&main;
    return p[argc]; // @code
#else
    int *p = (int *)(uintptr_t)(0x1000 + argc);
    *p = 1; // @number
#endif
    return a + b;
}
