// Result: correct.
// Text to numbers, with the place where reading stopped, and errors.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void integer(const char *s, int base)
{
    char *end;
    errno = 0;
    long v = strtol(s, &end, base);
    printf("%s/%d: %ld, rest [%s]%s\n", s, base, v, end,
           errno == ERANGE ? ", out of range" : "");
}

static void real(const char *s)
{
    char *end;
    errno = 0;
    double v = strtod(s, &end);
    printf("%s: %.17g, rest [%s]%s\n", s, v, end, errno == ERANGE ? ", out of range" : "");
}

int main(void)
{
    integer("42", 10);
    integer("  -42abc", 10);
    integer("0x7fz", 0);
    integer("0777", 0);
    integer("zz", 36);
    integer("", 10);
    integer("99999999999999999999", 10);
    integer("-99999999999999999999", 10);
    printf("%lu %llu\n", strtoul("-1", NULL, 10), strtoull("18446744073709551615", NULL, 10));
    printf("%d %ld %lld\n", atoi("12x"), atol("-3"), atoll("4"));

    real("1");
    real("-0");
    real("3.14159265358979323846");
    real("1e400");
    real("1e-400");
    real("0x1.8p3q");
    real("inf");
    real("-infinity!");
    real("1e");
    real("123456789012345678901234567890");
    real(".5.");
    real("x");
    printf("%g %g\n", atof("2.5"), (double)strtof("0.1", NULL));
    div_t q = div(-7, 2);
    printf("%d %d %ld %d\n", q.quot, q.rem, labs(-5L), abs(-6));
    return 0;
}
