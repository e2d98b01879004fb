// Freeing a pointer into the middle of an allocation.  Result: memory error.
// -DSTACK frees a local variable: memory error.
// -DGLOBAL frees a global one: memory error.
// Expect: invalid free
// Expect: invalid_free.c:@middle
// Expect-STACK: invalid_free.c:@stack
// Expect-GLOBAL: invalid_free.c:@global
#include <stdlib.h>

static int global;

int main(void)
{
    int local = 0;
    int *p = calloc(2, sizeof *p);
    (void)local;
#if defined STACK
    int *q = &local;
    free(q); // @stack
#elif defined GLOBAL
    int *q = &global;
    free(q); // @global
#else
    free(p + 1); // @middle
#endif
    free(p);
    return global;
}
