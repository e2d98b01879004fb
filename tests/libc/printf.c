// Result: correct.
// Formats of printf into memory and onto standard output.
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static void integers(void)
{
    printf("%d %i %u %x %X %o\n", -7, 7, 7u, 255, 255, 8);
    printf("[%5d][%-5d][%05d][%+d][% d][%.3d]\n", 42, 42, 42, 42, 42, 42);
    printf("%#x %#o %#X\n", 255, 8, 255);
    printf("%d %u %ld %lu\n", INT_MIN, UINT_MAX, LONG_MIN, ULONG_MAX);
    printf("%hhd %hd %lld %zu %jd %td\n", (char)-1, (short)-2, -3LL, (size_t)4, (intmax_t)5,
           (ptrdiff_t)6);
    printf("%" PRIu64 " %" PRIx32 "\n", UINT64_C(1) << 40, (uint32_t)0xbeef);
    printf("[%*d][%-*d][%.*d]\n", 6, 1, 6, 2, 4, 3);
}

static void floats(void)
{
    double values[] = {0.0, -0.0, 1.0, 0.1, 123456.789, 1e100, 5e-324, 1.7976931348623157e308};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        printf("%f|%e|%g|%.3g|%.17g\n", values[i], values[i], values[i], values[i], values[i]);
    printf("%.0f %.0f %.0f %.1f\n", 0.5, 1.5, 2.5, 0.25);
    printf("%f %F %e\n", 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0 == 0.0 ? 1.0 : 2.0);
    printf("[%10.2f][%-10.2f][%+.1f][%#.0f]\n", 3.14159, 3.14159, 2.0, 3.0);
    printf("%a %a\n", 1.0, 0.5);
}

static void strings(void)
{
    printf("[%s][%10s][%-10s][%.2s][%c][%%]\n", "abc", "abc", "abc", "abc", 'c');
    printf("%2$s %1$s\n", "world", "hello");
    printf("[%1$*2$d][%1$*3$d][%1$.*2$d][%1$*2$.*4$d]\n", 7, 3, -4, 2);
    int n;
    printf("count%n\n", &n);
    printf("%d\n", n);
}

int main(void)
{
    char buf[8];
    integers();
    floats();
    strings();
    printf("%d ", snprintf(buf, sizeof buf, "%s", "longer than that"));
    printf("%s ", buf);
    printf("%d\n", snprintf(NULL, 0, "%d", 12345));
    printf("%d %s\n", sprintf(buf, "%03d", 7), buf);
    fputs("fputs ", stdout);
    fputc('c', stdout);
    putchar('\n');
    printf("%zu\n", fwrite("fwrite\n", 1, 7, stdout));
    /* longer than any buffer */
    char line[3000];
    memset(line, '-', sizeof line);
    line[sizeof line - 1] = 0;
    printf("%s|%d\n", line, 1);
    puts(line);
    return 0;
}
