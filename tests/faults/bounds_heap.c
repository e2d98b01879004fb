// Writing one element past the end of an allocation.  Result: memory error.
// -DBELOW writes before its start: memory error.
// -DSTRADDLE reads four bytes of which the object has three: memory error.
// -DFAR goes far outside: memory error.
// -DEMPTY writes to an allocation of no bytes: memory error.
// Expect: access out of bounds
// Expect: bounds_heap.c:@past
// Expect-BELOW: bounds_heap.c:@below
// Expect-STRADDLE: bounds_heap.c:@straddle
// Expect-FAR: bounds_heap.c:@far
// Expect-EMPTY: bounds_heap.c:@empty
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int n = 4;
    char *p = calloc(n, 1);
    if (!p)
        return 0;
#if defined BELOW
    p[-1] = 1; // @below
#elif defined STRADDLE
    int value;
    memcpy(&value, p + 1, sizeof value); // @straddle
#elif defined FAR
    p[1 << 20] = 1; // @far
#elif defined EMPTY
    char *q = malloc(n - 4);
    *q = 1; // @empty
    free(q);
#else
    p[n] = 1; // @past
#endif
    free(p);
    return 0;
}
