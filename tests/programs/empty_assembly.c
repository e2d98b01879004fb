// Inline assembly without instructions gives back what it is given, and a processor's hint in a
// loop does nothing.  Result: correct.
#include <assert.h>

int main(void)
{
    int x = 3, y = 0, z[2] = {1, 2};
    long l = 4;
    double d = 1.5;
    void *p = z;
    __asm__("" : "+r"(x), "+r"(l));
    __asm__ volatile("" : "+g"(d) : : "memory");
    __asm__("" : "=r"(x) : "0"(x + 1));
    __asm__("" : "=g"(y) : "0"(x + 1));
    __asm__ volatile("" : "+m"(z) : "r"(p));
    __asm__ volatile("" : : "r,m"(x) : "memory");
    __asm__ volatile("" : "+r,m"(p));
    _Bool q = 1;
    int named, sum = 2;
    __asm__ volatile("" : "+r"(q));
    __asm__("" : "=a"(named) : "a"(8));
    __asm__("" : "=r"(sum) : "%0"(sum + 3), "r"(x));
    assert(q == 1 && named == 8 && sum == 5);
    assert(x == 4 && y == 5 && l == 4 && d == 1.5 && p == z && z[1] == 2);
    __builtin_ia32_pause();
    return 0;
}
