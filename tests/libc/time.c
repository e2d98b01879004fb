// Result: correct.
// Calendar times, from fixed ones; the zone is UTC.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void show(time_t t)
{
    char text[200];
    struct tm tm;
    gmtime_r(&t, &tm);
    strftime(text, sizeof text,
             "%Y-%m-%d %H:%M:%S %a %A %b %B %j %U %w %y %I %p %e %D %F %T %R %%", &tm);
    printf("%s\n", text);
    printf("%s", asctime(&tm));
    printf("%lld\n", (long long)timegm(&tm));
}

int main(void)
{
    setenv("TZ", "UTC0", 1);
    tzset();
    show(0);
    show(951782400); /* 29 February 2000 */
    show(1700000000);
    show(-1);
    show(4102444799); /* the last second of 2099 */

    struct tm tm = {.tm_year = 124, .tm_mon = 13, .tm_mday = 35, .tm_hour = 25, .tm_isdst = 0};
    time_t t = mktime(&tm);
    printf("%lld %d %d %d %d %d\n", (long long)t, tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_wday,
           tm.tm_yday);
    printf("%g\n", difftime(100, 40));
    struct timespec ts;
    printf("%d %d\n", clock_gettime(CLOCK_MONOTONIC, &ts),
           ts.tv_nsec >= 0 && ts.tv_nsec < 1000000000);
    printf("%d\n", time(NULL) != (time_t)-1);
    return 0;
}
