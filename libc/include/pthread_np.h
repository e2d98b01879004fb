/* pthread_np.h - what musl's <pthread.h> does not have: GNU's static initialisers and names of
 * kinds of mutexes, and the functions of POSIX.1-2024; the build appends an include of this
 * file. */
#ifndef _PTHREAD_NP_H
#define _PTHREAD_NP_H

#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP \
    {                                          \
        {                                      \
            {                                  \
                PTHREAD_MUTEX_RECURSIVE        \
            }                                  \
        }                                      \
    }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP \
    {                                           \
        {                                       \
            {                                   \
                PTHREAD_MUTEX_ERRORCHECK        \
            }                                   \
        }                                       \
    }

/* An adaptive mutex is a normal one that spins before it waits. */
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP PTHREAD_MUTEX_INITIALIZER
#define PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_FAST_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_ADAPTIVE_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK

#ifdef __cplusplus
extern "C" {
#endif

int pthread_yield(void);

int pthread_mutex_clocklock(pthread_mutex_t *__restrict, clockid_t,
                            const struct timespec *__restrict);
int pthread_cond_clockwait(pthread_cond_t *__restrict, pthread_mutex_t *__restrict, clockid_t,
                           const struct timespec *__restrict);
int pthread_rwlock_clockrdlock(pthread_rwlock_t *__restrict, clockid_t,
                               const struct timespec *__restrict);
int pthread_rwlock_clockwrlock(pthread_rwlock_t *__restrict, clockid_t,
                               const struct timespec *__restrict);

#ifdef __cplusplus
}
#endif

#endif
