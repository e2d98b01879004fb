// Result: correct.
// Environment, handlers at exit, variadic functions, memory streams.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void last(void)
{
    puts("last");
}

static void first(void)
{
    puts("first");
}

static int sum(int n, ...)
{
    va_list ap;
    int total = 0;
    va_start(ap, n);
    while (n--)
        total += va_arg(ap, int);
    va_end(ap);
    return total;
}

static void say(char *to, size_t size, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(to, size, format, ap);
    va_end(ap);
}

int main(int argc, char **argv)
{
    atexit(last);
    atexit(first);
    printf("%d %d\n", argc >= 1, argv[argc] == NULL);
    setenv("DIVM_TEST_VARIABLE", "value", 1);
    printf("%s\n", getenv("DIVM_TEST_VARIABLE"));
    unsetenv("DIVM_TEST_VARIABLE");
    printf("%d\n", getenv("DIVM_TEST_VARIABLE") == NULL);
    setenv("HOME", "/nowhere", 1);
    printf("%s\n", getenv("HOME"));
    unsetenv("HOME");
    printf("%d %d\n", getenv("HOME") == NULL, getenv("PATH") != NULL);
    printf("%d %d\n", sum(3, 1, 2, 3), sum(8, 1, 2, 3, 4, 5, 6, 7, 8));

    char text[32];
    say(text, sizeof text, "%d %s %.1f %ld %c", 1, "two", 3.0, 4L, '5');
    puts(text);

    char *out;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    fprintf(f, "%s %d", "memory stream", 42);
    fclose(f);
    printf("%s %zu\n", out, size);
    free(out);

    char data[] = "line one\nline two\n", line[32];
    f = fmemopen(data, strlen(data), "r");
    while (fgets(line, sizeof line, f))
        printf("<%s", line);
    printf("%d\n", feof(f) != 0);
    fclose(f);

    srand(7);
    int a = rand();
    srand(7);
    printf("%d\n", a == rand());
    exit(0);
}
