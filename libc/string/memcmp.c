/* memcmp.c - musl's ends at the first difference; here the ranges are looked at up to their
 * ends, since C's memcmp may do that.  bcmp ends here, too. */
#include <string.h>

static void look_at(const unsigned char *p)
{
    __asm__ volatile("" : : "r"(*p));
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *l = a, *r = b;
    size_t k = 0;
    while (k < n && l[k] == r[k])
        k++;
    if (k == n)
        return 0;
    int difference = l[k] - r[k];
    look_at(l + n - 1);
    look_at(r + n - 1);
    return difference;
}
