// Pointers copied byte by byte, to odd addresses, and through integers still
// point where they did.  Result: correct.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void copy_bytes(void *to, const void *from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    while (n--)
        *t++ = *f++;
}

int main(void)
{
    int *p = malloc(sizeof *p), *q = NULL;
    if (!p)
        return 0;
    *p = 42;
    copy_bytes(&q, &p, sizeof p);
    assert(*q == 42);

    char odd[2 * sizeof p];
    memcpy(odd + 3, &p, sizeof p);
    q = NULL;
    memcpy(&q, odd + 3, sizeof q);
    assert(*q == 42);

    uintptr_t number = (uintptr_t)p;
    q = (int *)(number + 0);
    assert(*q == 42 && q == p);

    char *end = (char *)p + sizeof *p;
    q = (int *)(void *)(end - sizeof *p);
    assert(*q == 42);

    uintptr_t tagged = (uintptr_t)p | 1;
    assert(tagged & 1);
    q = (int *)(tagged & ~(uintptr_t)1);
    *q = 43;
    assert(*p == 43);
    free(q);
    return 0;
}
