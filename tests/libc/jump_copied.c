// A jmp_buf may be copied, and the first one may be used again.  Result: correct.
#include <assert.h>
#include <setjmp.h>
#include <string.h>

static jmp_buf first;

static int jumps(jmp_buf to, int value)
{
    jmp_buf copy;
    memcpy(copy, first, sizeof copy);
    memset(first, 0, sizeof first);
    longjmp(to ? to : copy, value);
}

int main(void)
{
    volatile int n = 0;
    int got = setjmp(first);
    if (n++ == 0)
        jumps(NULL, 7);
    assert(n == 2 && got == 7);
    assert(setjmp(first) == 0);
    return 0;
}
