// Functions on wide strings and on multibyte characters.
#define _GNU_SOURCE
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void copying(void)
{
    wchar_t to[32] = L"", *copy, *state, text[] = L"a b,c";
    printf("%ls", wcpcpy(to, L"abc") - 3);
    printf(" %d", (int)(wcpncpy(to, L"xyzzy", 4) - to));
    printf(" %.4ls", to);
    wcscpy(to, L"ab");
    printf(" %ls", wcsncat(to, L"cdef", 2));
    memset(to, 0, sizeof to);
    printf(" %ls\n", wcsncpy(to, L"hello", 3));
    copy = wcsdup(L"copy");
    printf("%ls", copy);
    free(copy);
    for (wchar_t *word = wcstok(text, L" ,", &state); word; word = wcstok(NULL, L" ,", &state))
        printf(" [%ls]", word);
    wmemcpy(to, L"12345", 6);
    printf(" %ls", wmemmove(to + 1, to, 4) - 1);
    printf(" %ls\n", wmemset(to, L'z', 2));
}

static void comparing(void)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", NULL);
    wchar_t to[16];
    printf("%d %d", sign(wcscasecmp(L"ABC", L"abd")), sign(wcscasecmp_l(L"A", L"a", locale)));
    printf(" %d %d", sign(wcsncasecmp(L"ABC", L"abd", 2)),
           sign(wcsncasecmp_l(L"AB", L"ac", 2, locale)));
    printf(" %d %d", sign(wcscoll(L"a", L"b")), sign(wcscoll_l(L"b", L"a", locale)));
    printf(" %d", sign(wmemcmp(L"abc", L"abd", 3)));
    printf(" %d", (int)wcsxfrm(to, L"abc", 16));
    printf(" %d\n", (int)wcsxfrm_l(to, L"abc", 16, locale));
    freelocale(locale);
}

static void searching(void)
{
    const wchar_t *text = L"hello world";
    printf("%d %d", (int)wcscspn(text, L"ow"), (int)wcsspn(text, L"hel"));
    printf(" %d %d", (int)(wcspbrk(text, L"ow") - text), (int)(wcsrchr(text, L'o') - text));
    printf(" %d", (int)wcsnlen(text, 5));
    printf(" %d", (int)(wmemchr(text, L'w', 11) - text));
    printf(" %d %d\n", wcswidth(L"abc", 3), wcwidth(L'a'));
}

static void numbers(void)
{
    wchar_t *end;
    printf("%g %g", (double)wcstof(L"1.5x", &end), (double)wcstold(L"2.5", NULL));
    printf(" %lld %lu %llu", wcstoll(L"-12", NULL, 10), wcstoul(L"ff", NULL, 16),
           wcstoull(L"077", NULL, 0));
    printf(" %jd %ju", wcstoimax(L"-5", NULL, 10), wcstoumax(L"5", NULL, 10));
    printf(" %jd %ju\n", strtoimax("-7", NULL, 10), strtoumax("7", NULL, 10));
}

static void converting(void)
{
    mbstate_t state = {0};
    wchar_t wide[16];
    char narrow[16];
    const char *from = "abc";
    const wchar_t *wide_from = L"xyz";
    char16_t c16;
    char32_t c32;
    printf("%d %d", btowc('a'), wctob(L'b'));
    printf(" %d", (int)mbrlen("abc", 3, &state));
    printf(" %d", (int)mbrtowc(wide, "abc", 3, &state));
    printf(" %d", mbsinit(&state) != 0);
    printf(" %d", (int)mbsrtowcs(wide, &from, 16, &state));
    from = "abcdef";
    printf(" %d %d", (int)mbsnrtowcs(wide, &from, 2, 16, &state), (int)wide[1]);
    printf(" %d", (int)wcrtomb(narrow, L'q', &state));
    printf(" %d", (int)wcsrtombs(narrow, &wide_from, 16, &state));
    wide_from = L"xyz";
    printf(" %d", (int)wcsnrtombs(narrow, &wide_from, 2, 16, &state));
    printf(" %d %d", wctomb(narrow, L'r'), narrow[0]);
    printf(" %d", (int)mbrtoc16(&c16, "s", 1, &state));
    printf(" %d", (int)mbrtoc32(&c32, "t", 1, &state));
    printf(" %d %d\n", (int)c16rtomb(narrow, u'u', &state),
           (int)c32rtomb(narrow, U'v', &state));
}

static void dates(void)
{
    struct tm tm = {.tm_year = 100, .tm_mday = 2};
    locale_t locale = newlocale(LC_ALL_MASK, "C", NULL);
    wchar_t text[32];
    char narrow[32];
    printf("%d", (int)wcsftime(text, 32, L"%Y-%m-%d", &tm));
    printf(" %ls", text);
    printf(" %d", (int)strftime_l(narrow, 32, "%A", &tm, locale));
    printf(" %s\n", narrow);
    freelocale(locale);
}

int main(void)
{
    copying();
    comparing();
    searching();
    numbers();
    converting();
    dates();
    return 0;
}
