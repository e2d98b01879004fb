/* semaphore_np.h - what musl's <semaphore.h> does not have of POSIX.1-2024; the build
 * appends an include of this file. */
#ifndef _SEMAPHORE_NP_H
#define _SEMAPHORE_NP_H

#define __NEED_clockid_t
#include <bits/alltypes.h>

#ifdef __cplusplus
extern "C" {
#endif

int sem_clockwait(sem_t *__restrict, clockid_t, const struct timespec *__restrict);

#ifdef __cplusplus
}
#endif

#endif
