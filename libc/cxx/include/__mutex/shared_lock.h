/* shared_lock.h - the lock in a std::shared_mutex and a std::shared_timed_mutex, in place of
 * libc++'s mutex with two condition variables (libc/cxx/shared_lock.c).  Each call is one
 * visible action, and orders what the standard says and no more.
 *
 * A writer that waits for readers to leave lets no more of them in, as with libc++: so the
 * deadlocks are found of locks that prefer writers, and with them those of all others. */
#ifndef _LIBCPP___MUTEX_SHARED_LOCK_H
#define _LIBCPP___MUTEX_SHARED_LOCK_H

#include <time.h>

#ifdef __cplusplus
#pragma GCC system_header
extern "C" {
#else
#include <stdbool.h>
#endif

/* All zero: nobody holds it. */
struct __cxx_shared_lock {
    long __words[4];
};

/* An error if it is held; later calls are errors. */
void __cxx_shared_lock_destroy(struct __cxx_shared_lock *__lock);

/* The calls with a time limit, and those that only try, return false if the lock was not got;
 * NULL: there is no limit. */
void __cxx_lock(struct __cxx_shared_lock *__lock);
bool __cxx_try_lock(struct __cxx_shared_lock *__lock);
bool __cxx_lock_until(struct __cxx_shared_lock *__lock, const struct timespec *__limit);
void __cxx_unlock(struct __cxx_shared_lock *__lock);

void __cxx_lock_shared(struct __cxx_shared_lock *__lock);
bool __cxx_try_lock_shared(struct __cxx_shared_lock *__lock);
bool __cxx_lock_shared_until(struct __cxx_shared_lock *__lock, const struct timespec *__limit);
void __cxx_unlock_shared(struct __cxx_shared_lock *__lock);

#ifdef __cplusplus
}
#endif
#endif
