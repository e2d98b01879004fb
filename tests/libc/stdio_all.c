// Functions of <stdio.h> and wide streams beyond those that every program uses.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static char *all(const char *format, ...)
{
    char text[32], *made;
    va_list list;
    va_start(list, format);
    vsprintf(text, format, list);
    va_end(list);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    va_start(list, format);
    vfprintf(stdout, format, list);
    va_end(list);
    va_start(list, format);
    if (vasprintf(&made, format, list) < 0)
        abort();
    va_end(list);
    fflush(stdout);
    va_start(list, format);
    vdprintf(1, format, list);
    va_end(list);
    printf("%s %s\n", text, made);
    return made;
}

static int scan(const char *text, FILE *file, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int first = vsscanf(text, format, list);
    va_end(list);
    va_start(list, format);
    int second = vfscanf(file, format, list);
    va_end(list);
    return 10 * first + second;
}

static int wide(const wchar_t *text, FILE *file, FILE *out, const wchar_t *format, ...)
{
    va_list list;
    wchar_t to[32];
    va_start(list, format);
    int first = vswscanf(text, format, list);
    va_end(list);
    va_start(list, format);
    int second = vfwscanf(file, format, list);
    va_end(list);
    va_start(list, format);
    vswprintf(to, 32, L"x", list);
    vfwprintf(out, L"y", list);
    va_end(list);
    return 10 * first + second;
}

static FILE *holding(const char *text)
{
    FILE *file = tmpfile();
    fputs(text, file);
    rewind(file);
    return file;
}

static FILE *holding_wide(const wchar_t *text)
{
    FILE *file = tmpfile();
    fputws(text, file);
    rewind(file);
    return file;
}

static void bytes(void)
{
    FILE *file = holding("");
    char buffer[BUFSIZ], text[16];
    int value = 0;
    setbuf(file, buffer);
    putc_unlocked('a', file);
    fputc_unlocked('b', file);
    fputs_unlocked("cd\n", file);
    fwrite_unlocked("efg", 1, 3, file);
    putw(1234, file);
    fflush_unlocked(file);
    rewind(file);
    printf("%c%c", getc_unlocked(file), fgetc_unlocked(file));
    printf("%s", fgets_unlocked(text, 16, file));
    printf("%d", (int)fread_unlocked(text, 1, 3, file));
    printf(" %d", getw(file));
    getc(file);
    printf(" %d %d", feof_unlocked(file) != 0, ferror_unlocked(file) != 0);
    clearerr_unlocked(file);
    printf(" %d %d\n", feof_unlocked(file), fileno_unlocked(file) > 2);
    fclose(file);
    file = holding("12 34");
    printf("%d %d\n", scan("56", file, "%d", &value), value);
    fclose(file);
    setbuffer(stdout, NULL, 0);
    setlinebuf(stdout);
    putchar_unlocked('p');
    putchar_unlocked('\n');
    printf("%d %d %d %d\n", getchar(), getchar_unlocked(), scanf("%d", &value),
           (int)getwchar());
}

static void wide_streams(void)
{
    FILE *file = holding_wide(L"12 ab\ncd"), *out = tmpfile(), *memory;
    wchar_t text[16], *made;
    size_t size;
    int value;
    printf("%d", wide(L"7", file, out, L"%d", &value));
    printf(" %d %d", value, fwide(file, 0) > 0);
    printf(" %d%d", (int)fgetwc(file), (int)getwc(file));
    ungetwc(L'z', file);
    printf(" %d", (int)fgetwc_unlocked(file));
    printf(" %d", (int)getwc_unlocked(file));
    printf(" %ls", fgetws(text, 16, file));
    printf("%ls", fgetws_unlocked(text, 16, file));
    fputwc(L'a', out);
    fputwc_unlocked(L'b', out);
    putwc(L'c', out);
    putwc_unlocked(L'd', out);
    fputws(L"ef", out);
    fputws_unlocked(L"gh", out);
    rewind(out);
    printf(" %ls\n", fgetws(text, 16, out));
    fclose(file);
    fclose(out);
    memory = open_wmemstream(&made, &size);
    fputws(L"hello", memory);
    fclose(memory);
    printf("%ls %d\n", made, (int)size);
    free(made);
}

static ssize_t give(void *cookie, char *buffer, size_t size)
{
    int *left = cookie;
    size_t n = 0;
    while (n < size && *left > 0)
        buffer[n++] = (char)('0' + --*left);
    return (ssize_t)n;
}

static void cookies(void)
{
    int left = 3;
    char text[8];
    FILE *file = fopencookie(&left, "r", (cookie_io_functions_t){.read = give});
    printf("%s\n", fgets(text, sizeof text, file));
    fclose(file);
}

int main(void)
{
    char *made;
    free(all("%d-", 5));
    if (asprintf(&made, "%s", "made") == 4)
        printf("%s\n", made);
    free(made);
    bytes();
    wide_streams();
    cookies();
    errno = ENOENT;
    perror("none");
    return 0;
}
