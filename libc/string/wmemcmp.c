/* wmemcmp.c - as memcmp.c; musl's subtracts, which may overflow. */
#include <wchar.h>

static void look_at(const wchar_t *p)
{
    __asm__ volatile("" : : "r"(*p));
}

int wmemcmp(const wchar_t *l, const wchar_t *r, size_t n)
{
    size_t k = 0;
    while (k < n && l[k] == r[k])
        k++;
    if (k == n)
        return 0;
    int difference = l[k] < r[k] ? -1 : 1;
    look_at(l + n - 1);
    look_at(r + n - 1);
    return difference;
}
