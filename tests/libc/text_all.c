// Patterns, options, paths, conversions between character sets.
#define _GNU_SOURCE
#include <fnmatch.h>
#include <getopt.h>
#include <iconv.h>
#include <libgen.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void patterns(void)
{
    regex_t regex;
    regmatch_t match[2];
    printf("%d", regcomp(&regex, "a(b+)c", REG_EXTENDED));
    printf(" %d", regexec(&regex, "xxabbbc", 2, match, 0));
    printf(" %d-%d", (int)match[1].rm_so, (int)match[1].rm_eo);
    printf(" %d", regexec(&regex, "ac", 0, NULL, 0) == REG_NOMATCH);
    regfree(&regex);
    char text[64];
    printf(" %d", regcomp(&regex, "a(", REG_EXTENDED) != 0);
    printf(" %d\n", regerror(REG_EPAREN, NULL, text, sizeof text) > 1);
    printf("%d %d\n", fnmatch("*.c", "a.c", 0), fnmatch("*.c", "a.h", 0) == FNM_NOMATCH);
}

static void options(void)
{
    char *args[] = {"name", "-a", "-b", "x", "--long=1", "rest", NULL};
    const struct option longs[] = {{"long", required_argument, NULL, 'l'}, {0}};
    int c;
    while ((c = getopt(3, args, "ab:")) != -1 && c != '?')
        printf("%c ", c);
    optind = 1;
    while ((c = getopt_long(6, args, "ab:", longs, NULL)) != -1)
        printf("%c:%s ", c, optarg ? optarg : "");
    optind = 1;
    char *only[] = {"name", "-long", "2", NULL};
    while ((c = getopt_long_only(3, only, "", longs, NULL)) != -1)
        printf("%c:%s ", c, optarg);
    printf("%d\n", optind);
}

static void paths(void)
{
    char a[] = "/usr/lib", b[] = "/usr/lib/";
    char to[4];
    printf("%s %s", dirname(a), (basename)(b));
    swab("abcd", to, 4);
    printf(" %.4s\n", to);
}

static void sets(void)
{
    char in[] = "a\xe9", out[8] = "", *from = in, *to = out;
    size_t left = 2, room = sizeof out;
    iconv_t set = iconv_open("UTF-8", "ISO-8859-1");
    printf("%d", (int)iconv(set, &from, &left, &to, &room));
    printf(" %d %x %x\n", (int)(to - out), (unsigned char)out[1], (unsigned char)out[2]);
    iconv_close(set);
}

int main(void)
{
    patterns();
    opterr = 0;
    options();
    paths();
    sets();
    return 0;
}
