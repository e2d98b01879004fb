// Functions of <string.h> and <strings.h> beyond those that every program uses.
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void searching(void)
{
    const char *text = "hello world";
    printf("%d", (int)((char *)memmem(text, 11, "wor", 3) - text));
    printf(" %d", (int)((char *)memrchr(text, 'o', 11) - text));
    printf(" %d", (int)(strcasestr(text, "WOR") - text));
    printf(" %d", (int)(strchrnul(text, 'z') - text));
    printf(" %d %d\n", (int)(index(text, 'o') - text), (int)(rindex(text, 'o') - text));
}

static void copying(void)
{
    char to[16], from[] = "abc", *copy;
    printf("%d", (int)((char *)mempcpy(to, "abcd", 5) - to));
    printf(" %d", (int)(stpncpy(to, "xy", 4) - to));
    copy = strndup("abcdef", 3);
    printf(" %s", copy);
    free(copy);
    bcopy(from, to, 4);
    printf(" %s", to);
    bzero(to, 2);
    explicit_bzero(to + 2, 1);
    printf(" %d %d %d\n", to[0], to[1], to[2]);
}

static void comparing(void)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", NULL);
    char to[16];
    printf("%d %d", bcmp("a", "b", 1) != 0, sign(strverscmp("a9", "a10")));
    printf(" %d %d", sign(strcoll("a", "b")), sign(strcoll_l("b", "a", locale)));
    printf(" %d %s", (int)strxfrm(to, "abc", 16), to);
    printf(" %d", (int)strxfrm_l(to, "abcd", 16, locale));
    printf(" %d", strcasecmp_l("A", "a", locale));
    printf(" %d\n", sign(strncasecmp_l("AB", "ac", 2, locale)));
    freelocale(locale);
}

static void bits(void)
{
    int (*first)(int) = ffs, (*firstl)(long) = ffsl, (*firstll)(long long) = ffsll;
    printf("%d %d %d %d\n", first(8), firstl(1L << 40), firstll(0), first(-1));
}

int main(void)
{
    searching();
    copying();
    comparing();
    bits();
    return 0;
}
