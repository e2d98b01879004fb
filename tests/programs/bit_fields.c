// Bit-fields of all widths, signed and unsigned, set before their neighbours are.
// Result: correct.
#include <assert.h>
#include <stdlib.h>

struct fields {
    unsigned a : 1, b : 7, c : 13;
    int d : 3;
    unsigned long e : 40;
    _Bool f : 1;
};

int main(void)
{
    struct fields s, *h = malloc(sizeof *h);
    if (!h)
        return 0;
    s.c = 5000;
    assert(s.c == 5000);
    s.a = 1;
    s.d = -3;
    s.e = 0xfedcba9876ul;
    s.f = 2;
    assert(s.a == 1 && s.c == 5000 && s.d == -3 && s.e == 0xfedcba9876ul && s.f == 1);
    *h = s; // b is not set: copying it is no error
    assert(h->c == 5000 && h->e == s.e);
    h->b = 100;
    h->c++;
    assert(h->b == 100 && h->c == 5001 && h->a);
    free(h);
    return 0;
}
