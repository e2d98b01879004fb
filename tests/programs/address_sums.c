// An optimiser adds one address to another and takes one of them off again, in any order.
// Result: correct.
// -DOTHER a difference of two objects leads to none of them: memory error.
// -DFAR neither does a number: memory error.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static char *volatile kept;

int main(void)
{
    char *begin = calloc(4, 1), *end = begin + 3, *other = calloc(4, 1);
    kept = begin + (uintptr_t)end;
    kept -= (uintptr_t)begin;
    assert(kept == end && *kept == 0);
    kept = begin - (uintptr_t)begin;
    kept += (uintptr_t)end;
    assert(kept == end && *kept == 0);
#ifdef OTHER
    kept = begin + (other - begin);
    assert(*kept == 0);
#elif defined FAR
    kept = begin + ((uintptr_t)1 << 40);
    kept -= (uintptr_t)1 << 40;
    assert(*kept == 0);
#endif
    free(begin);
    free(other);
}
