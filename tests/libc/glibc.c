// What glibc has and POSIX does not: on_exit, with the status; <execinfo.h>, without frames.
// Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>

static int order;

static void last(void)
{
    assert(order == 2);
}

static void with_status(int status, void *arg)
{
    assert(status == 0 && arg == &order && order++ == 1);
}

static void first(int status, void *arg)
{
    assert(status == 0 && arg == NULL && order++ == 0);
}

int main(void)
{
    void *frames[4] = {main};
    int count = backtrace(frames, 0);
    assert(count == 0);
    char **names = backtrace_symbols(frames, count);
    assert(names);
    free(names);
    backtrace_symbols_fd(frames, count, 2);
    assert(atexit(last) == 0 && on_exit(with_status, &order) == 0 && on_exit(first, NULL) == 0);
    puts("done");
    exit(0);
}
