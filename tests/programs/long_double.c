// long double of 80 bits and __float128: constants, arithmetic, conversions, memory.
// Result: correct.
// Options: -Xclang -mlong-double-80
#include <assert.h>
#include <stdint.h>
#include <string.h>

typedef long double L;
typedef __float128 Q;

static const L table[] = {1.1L, -2.5e4000L};
static const Q quads[] = {1.1Q, -2.5e4900Q};
static volatile L one = 1, three = 3;
static volatile Q qone = 1, qthree = 3;

static int has(const void *p, size_t n, const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *b = p;
    for (size_t k = 0; k < n; k++)
        if (hex[2 * k] != digits[b[n - 1 - k] >> 4] ||
            hex[2 * k + 1] != digits[b[n - 1 - k] & 15])
            return 0;
    return 1;
}

int main(void)
{
    L third = one / three, copy[2] = {three};
    Q quad = qone / qthree;
    assert(has(&third, 10, "3ffdaaaaaaaaaaaaaaab"));
    assert(has(&quad, 16, "3ffd5555555555555555555555555555"));
    assert(has(&table[1], 10, "f3e698fb2b4b9b82b00d") || table[1] < -2.4e4000L);
    assert(quads[1] < -2.4e4900Q && quads[0] * qthree > 3.29Q);
    memcpy(&copy[1], &copy[0], sizeof copy[0]); /* with its padding */
    assert(copy[1] == three && -copy[1] < one && three - one == 2);
    assert((long long)(three * 1e10L) == 30000000000ll && (unsigned)qthree == 3);
    assert((L)123456789012345ll == 123456789012345.0L && (Q)(unsigned __int128)-1 > 3.4e38Q);
    assert((double)third == 1.0 / 3 && (float)quad == 1.0f / 3);
    assert((__int128)(qthree * 1e30Q) / 3 > (__int128)1 << 99);
    assert((L)quad == third && (Q)third != quad);
    assert(__builtin_isinf(one / (three - 3)) && __builtin_isnan((three - 3) / (three - 3)));
    assert(__builtin_floorl(-third) == -1 && __builtin_fabsl(-three) == 3);
    return 0;
}
