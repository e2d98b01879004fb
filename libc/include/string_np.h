/* string_np.h - what musl's <string.h> does not have: C23's memset_explicit, and what C23 took
 * from POSIX; the build appends an include of this file. */
#ifndef _STRING_NP_H
#define _STRING_NP_H

#if defined(_GNU_SOURCE) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
#ifdef __cplusplus
extern "C" {
#endif

void *memset_explicit(void *, int, size_t);
void *memccpy(void *__restrict, const void *__restrict, int, size_t);
char *strdup(const char *);
char *strndup(const char *, size_t);

#ifdef __cplusplus
}
#endif
#endif

#endif
