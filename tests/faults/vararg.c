// One more variadic argument is taken than was passed.  Result: bad call.
// -DENOUGH takes as many as there are: correct.
// -DFORMAT printf's format names one that is missing: bad call.
// Expect: variadic argument
// Expect-FORMAT: variadic argument
#include <stdarg.h>
#include <stdio.h>

static int sum(int n, ...)
{
    va_list list;
    int total = 0;
    va_start(list, n);
    while (n-- > 0)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

int main(void)
{
#if defined ENOUGH
    return sum(3, 1, 2, -3);
#elif defined FORMAT
    const char *format = "%d %d\n";
    printf(format, 1);
    return 0;
#else
    return sum(3, 1, 2);
#endif
}
