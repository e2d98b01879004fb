// Variadic arguments of every class, more than the registers hold, and a copied
// list.  Result: correct.
#include <assert.h>
#include <stdarg.h>
#include <string.h>

struct small {
    int a, b;
};

struct mixed {
    double d;
    long l;
};

struct large {
    long part[5];
};

static double take(const char *format, ...)
{
    va_list list, copy;
    double sum = 0;
    va_start(list, format);
    va_copy(copy, list);
    for (const char *f = format; *f; f++)
        switch (*f) {
        case 'i': sum += va_arg(list, int); break;
        case 'l': sum += (double)va_arg(list, long); break;
        case 'd': sum += va_arg(list, double); break;
        case 'p': sum += *va_arg(list, int *); break;
        case 's': {
            struct small s = va_arg(list, struct small);
            sum += s.a * s.b;
            break;
        }
        case 'm': {
            struct mixed m = va_arg(list, struct mixed);
            sum += m.d + (double)m.l;
            break;
        }
        case 'b': {
            struct large b = va_arg(list, struct large);
            sum += (double)(b.part[0] + b.part[4]);
            break;
        }
        }
    if (*format == 'i')
        assert(va_arg(copy, int) == 1);
    va_end(copy);
    va_end(list);
    return sum;
}

int main(void)
{
    int ten = 10;
    assert(take("") == 0);
    assert(take("iiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8) == 36);
    assert(take("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.) == 55);
    assert(take("idlp", 1, 0.5, 1L << 40, &ten) == 11.5 + (double)(1L << 40));
    struct small s = {2, 3};
    struct mixed m = {0.25, 4};
    struct large b = {{1, 0, 0, 0, 2}};
    assert(take("smb", s, m, b) == 6 + 4.25 + 3);
    assert(take("iiiiisdmbp", 1, 1, 1, 1, 1, s, 1., m, b, &ten) == 5 + 6 + 1 + 4.25 + 3 + 10);
    return 0;
}
