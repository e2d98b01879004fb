/* timespec_getres.c - C23's: the resolution of the clock that timespec_get reads. */
#define _GNU_SOURCE
#include <time.h>

int timespec_getres(struct timespec *resolution, int base)
{
    if (base != TIME_UTC || (resolution && clock_getres(CLOCK_REALTIME, resolution) < 0))
        return 0;
    return base;
}
