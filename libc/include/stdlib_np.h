/* stdlib_np.h - what musl's <stdlib.h> does not have: on_exit, glibc's; the build appends an
 * include of this file. */
#ifndef _STDLIB_NP_H
#define _STDLIB_NP_H

#if defined(_GNU_SOURCE) || defined(_BSD_SOURCE)
#ifdef __cplusplus
extern "C" {
#endif

int on_exit(void (*)(int, void *), void *);

#ifdef __cplusplus
}
#endif
#endif

#endif
