// Copying structs with padding that was never written.  Result: correct.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct padded {
    char c;
    int i;
    char d;
    long l;
    char tail;
};

static struct padded by_value(struct padded p)
{
    p.i++;
    return p;
}

int main(void)
{
    struct padded a, b, *h = malloc(2 * sizeof *h);
    if (!h)
        return 0;
    a.c = 1, a.i = 2, a.d = 3, a.l = 4, a.tail = 5;
    memcpy(&b, &a, sizeof b);
    h[0] = b;
    memmove(&h[1], &h[0], sizeof *h);
    b = by_value(h[1]);
    assert(b.c == 1 && b.i == 3 && b.d == 3 && b.l == 4 && b.tail == 5);
    unsigned char bytes[sizeof a];
    memcpy(bytes, &a, sizeof a);
    assert(bytes[0] == 1 && bytes[4] == 2);
    free(h);
    return 0;
}
