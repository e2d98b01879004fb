// switch with values far apart, falling through, Duff's device.  Result: correct.
#include <assert.h>

static int kind(long c)
{
    switch (c) {
    case 'a':
    case 'e': return 1;
    case -5: return 2;
    case 1000000000000: return 3;
    case 7: c++; // fall through
    case 8: return (int)c;
    default: return 0;
    }
}

static int duff(int n)
{
    int done = 0, rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0:
        do {
            done++;
            __attribute__((fallthrough));
        case 3: done++; __attribute__((fallthrough));
        case 2: done++; __attribute__((fallthrough));
        case 1: done++;
        } while (--rounds > 0);
    }
    return done;
}

int main(void)
{
    assert(kind('a') == 1 && kind(-5) == 2 && kind(1000000000000) == 3);
    assert(kind(7) == 8 && kind(8) == 8 && kind(9) == 0);
    assert(duff(1) == 1 && duff(8) == 8 && duff(11) == 11);
    return 0;
}
