// Variadic arguments of every class: integers, floats, structs in registers and in memory,
// vectors, what is aligned to 16 bytes.  Result: correct.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
typedef float v4 __attribute__((vector_size(16)));
typedef float v2 __attribute__((vector_size(8)));
struct two {
    float x, y;
};
struct mix {
    double d;
    int i;
};
struct big {
    char b[40];
};
struct odd {
    char b[3];
};
struct al {
    _Alignas(16) int x;
    int y;
};
struct al32 {
    _Alignas(16) char c[48];
};
struct three {
    float x, y, z;
};
struct pi {
    void *p;
    int i;
};
struct ld {
    long double l;
};
struct dd {
    double a, b;
};
union u {
    int i;
    double d;
};
struct empty {
};
static void take(int n, ...)
{
    va_list a, b;
    va_start(a, n);
    va_copy(b, a);
    for (int pass = 0; pass < 2; pass++) {
        va_list *l = pass ? &b : &a;
        assert(va_arg(*l, int) == -1);
        assert(va_arg(*l, double) == 2.5);
        assert(va_arg(*l, long long) == 1ll << 40);
        struct two t = va_arg(*l, struct two);
        assert(t.x == 1 && t.y == 2);
        struct mix m = va_arg(*l, struct mix);
        assert(m.d == 3 && m.i == 4);
        struct big g = va_arg(*l, struct big);
        assert(g.b[39] == 'z');
        struct odd o = va_arg(*l, struct odd);
        assert(o.b[2] == 'q');
        v4 v = va_arg(*l, v4);
        assert(v[3] == 4.0f && v[0] == 1.0f);
        assert(va_arg(*l, int) == 77);
        struct al q = va_arg(*l, struct al);
        assert(q.x == 5 && q.y == 6);
        assert(va_arg(*l, __int128) == (__int128)1 << 100);
        assert(va_arg(*l, int) == 78);
        struct al32 q2 = va_arg(*l, struct al32);
        assert(q2.c[47] == 'k');
        struct three h = va_arg(*l, struct three);
        assert(h.z == 9);
        struct pi p = va_arg(*l, struct pi);
        assert(p.i == 3 && *(int *)p.p == 5);
        assert(va_arg(*l, char *)[1] == 'b');
        assert(va_arg(*l, long double) == 1.25L);
        struct ld ll = va_arg(*l, struct ld);
        assert(ll.l == 7.5L);
        struct dd d2 = va_arg(*l, struct dd);
        assert(d2.a == 1 && d2.b == 2);
        union u uu = va_arg(*l, union u);
        assert(uu.d == 4.5);
        v2 w = va_arg(*l, v2);
        assert(w[1] == 8);
        assert(va_arg(*l, _Complex double) == 3.0);
        assert(va_arg(*l, int (*)(const char *)) == puts);
        assert(va_arg(*l, unsigned) == 99);
    }
    va_end(b);
    va_end(a);
}
int main(void)
{
    int five = 5;
    struct big g;
    memset(&g, 'z', sizeof g);
    struct al32 k;
    memset(&k, 'k', sizeof k);
    take(3, -1, 2.5f, 1ll << 40, (struct two){1, 2}, (struct mix){3, 4}, g, (struct odd){"qqq"},
         (v4){1, 2, 3, 4}, 77, (struct al){5, 6}, (__int128)1 << 100, (short)78, k,
         (struct three){7, 8, 9}, (struct pi){&five, 3}, "ab", 1.25L, (struct ld){7.5L},
         (struct dd){1, 2}, (union u){.d = 4.5}, (v2){7, 8}, (_Complex double)3.0, puts, 99u);
    puts("ok");
    return 0;
}
