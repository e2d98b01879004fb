/* stdlib_np.h - what musl's <stdlib.h> does not have: glibc's on_exit, and C23's functions that
 * are told the size of a block; the build appends an include of this file. */
#ifndef _STDLIB_NP_H
#define _STDLIB_NP_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_GNU_SOURCE) || defined(_BSD_SOURCE)
int on_exit(void (*)(int, void *), void *);
#endif
#if defined(_GNU_SOURCE) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
void free_sized(void *, size_t);
void free_aligned_sized(void *, size_t, size_t);
static inline size_t memalignment(const void *__p)
{
    return (size_t)((unsigned long)__p & -(unsigned long)__p);
}
#endif

#ifdef __cplusplus
}
#endif

#endif
