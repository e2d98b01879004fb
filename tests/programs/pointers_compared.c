// Pointers into the same object are ordered; those of different ones are at least
// not equal.  Result: correct.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int array[4] = {0}, other = 0;
    int *p = array, *end = array + 4;
    int steps = 0;
    while (p < end)
        steps += ++p - array > 0;
    assert(steps == 4 && p == end && end - array == 4);
    assert(&array[0] != &other);
    char *a = malloc(1), *b = malloc(1);
    assert(!a || !b || a != b);
    assert(((a < b) ^ (b < a)) || a == b);
    free(a);
    free(b);
    struct {
        char c;
        long l;
    } s;
    assert((uintptr_t)&s.l - (uintptr_t)&s.c == offsetof(__typeof__(s), l));
    assert((uintptr_t)&s.l % _Alignof(long) == 0);
    return 0;
}
