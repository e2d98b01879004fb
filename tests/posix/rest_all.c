// Functions that have nothing in common.
//
// Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <nl_types.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>
#include <wchar.h>

static int scan(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int found = vscanf(format, list);
    va_end(list);
    return found;
}

static int wide_scan(const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int found = vwscanf(format, list);
    va_end(list);
    return found;
}

static void say(const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    vwprintf(format, list);
    va_end(list);
}

static void record(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsyslog(LOG_INFO, format, list);
    va_end(list);
}

static void strings(void)
{
    char to[8] = "ab", text[] = "a,b", *rest = text, name[] = "/tmp/nXXXXXX";
    locale_t locale = newlocale(LC_ALL_MASK, "C", NULL);
    wchar_t wide[8];
    struct tm tm = {.tm_year = 100, .tm_mday = 1};
    assert(strlcat(to, "cd", sizeof to) == 4 && strlcpy(to, "xyz", sizeof to) == 3);
    assert(!strcmp(strsep(&rest, ","), "a") && !strcmp(rest, "b"));
    assert(wcscmp(L"a", L"b") < 0 && wcsncmp(L"ab", L"ac", 1) == 0 &&
           wmemcmp(L"a", L"a", 1) == 0);
    assert(wcswcs(L"abc", L"b") && wcsftime_l(wide, 8, L"%Y", &tm, locale) == 4);
    assert(pow10(2) == 100 && pow10f(2) == 100 && pow10l(2) == 100);
    assert(close(mkstemp(name)) == 0);
    freelocale(locale);
}

static void streams(void)
{
    size_t length;
    int value;
    FILE *file = fopen("/tmp/lines", "w+");
    fputs("one\ntwo\n", file);
    rewind(file);
    assert(fgetln(file, &length) && length == 4);
    fclose(file);
    assert(scan("%d", &value) == EOF);
    assert(wide_scan(L"%d", &value) == EOF && wscanf(L"%d", &value) == EOF);
    assert(getwchar_unlocked() == WEOF);
    putwchar(L'w');
    putwchar_unlocked(L'x');
    wprintf(L"%d", 1);
    say(L"%d\n", 2);
}

/* A catalogue with one set of one message. */
static void catalogue(void)
{
    static const unsigned words[] = {0xff88ff89, 1, 29, 12, 24, 1, 1, 0, 7, 5, 0};
    FILE *file = fopen("/tmp/messages", "w");
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        for (int shift = 24; shift >= 0; shift -= 8)
            fputc((int)(words[k] >> shift & 255), file);
    fwrite("said", 1, 5, file);
    fclose(file);
    nl_catd open = catopen("/tmp/messages", 0);
    assert(open != (nl_catd)-1);
    assert(!strcmp(catgets(open, 1, 7, "none"), "said"));
    assert(!strcmp(catgets(open, 1, 8, "none"), "none"));
    assert(catclose(open) == 0);
}

int main(void)
{
    char text[64];
    int (*equal)(pthread_t, pthread_t) = pthread_equal;
    int (*same)(thrd_t, thrd_t) = thrd_equal;
    strings();
    streams();
    assert(equal(pthread_self(), pthread_self()) && same(thrd_current(), thrd_current()));
    catalogue();
    (void)cuserid(text);
    assert(!getpass("? ") && !getdate("2000") && getdate_err == 1);
    assert(!ptsname(1) && ptsname_r(1, text, sizeof text) != 0);
    assert(grantpt(1) <= 0 && unlockpt(1) == -1 && login_tty(-1) == -1);
    openlog("name", 0, LOG_USER);
    syslog(LOG_INFO, "%d", 1);
    record("%d", 2);
    closelog();
    return 0;
}
