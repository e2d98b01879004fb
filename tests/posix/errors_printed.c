// Messages of <err.h>: err and errx end the process.
//
// Result: correct.
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(void (*warns)(const char *, va_list), const char *format, ...)
{
    va_list list;
    va_start(list, format);
    warns(format, list);
    va_end(list);
}

static void end(void (*ends)(int, const char *, va_list), const char *format, ...)
{
    va_list list;
    va_start(list, format);
    ends(3, format, list);
    va_end(list);
}

static void child(int which)
{
    switch (which) {
    case 0: err(3, "err");
    case 1: errx(3, "errx");
    case 2: end(verr, "%s", "verr");
    default: end(verrx, "%s", "verrx");
    }
}

int main(void)
{
    int status;
    errno = ENOENT;
    warn("%s", "warn");
    warnx("%s", "warnx");
    say(vwarn, "%s", "vwarn");
    say(vwarnx, "%s", "vwarnx");
    for (int k = 0; k < 4; k++) {
        if (fork() == 0)
            child(k);
        assert(wait(&status) > 0 && WEXITSTATUS(status) == 3);
    }
    return 0;
}
