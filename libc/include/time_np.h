/* time_np.h - what musl's <time.h> does not have: C23's timespec_getres, and what C23 took from
 * POSIX; the build appends an include of this file. */
#ifndef _TIME_NP_H
#define _TIME_NP_H

#if defined(_GNU_SOURCE) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
#ifdef __cplusplus
extern "C" {
#endif

int timespec_getres(struct timespec *, int);
struct tm *gmtime_r(const time_t *__restrict, struct tm *__restrict);
struct tm *localtime_r(const time_t *__restrict, struct tm *__restrict);
time_t timegm(struct tm *);

#ifdef __cplusplus
}
#endif
#endif

#endif
