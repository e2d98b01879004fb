// atomic.cpp - replaces libc++'s table of contention counters and its futexes.
#include <atomic>

#include "libc/cxx/wait.h"

_LIBCPP_BEGIN_NAMESPACE_STD

using __word = __cxx_atomic_contention_t;

static const void *plain(const volatile void *p)
{
    return const_cast<const void *>(p);
}

void __cxx_atomic_notify_one(const volatile void *p) noexcept { __cxx_atomic_notify(plain(p), false); }
void __cxx_atomic_notify_all(const volatile void *p) noexcept { __cxx_atomic_notify(plain(p), true); }
void __cxx_atomic_notify_one(const volatile __word *p) noexcept { __cxx_atomic_notify(plain(p), false); }
void __cxx_atomic_notify_all(const volatile __word *p) noexcept { __cxx_atomic_notify(plain(p), true); }

// Between the look at the value and the sleep nothing can happen: no need to
// remember what was seen.
__cxx_contention_t __libcpp_atomic_monitor(const volatile void *) noexcept { return 0; }
__cxx_contention_t __libcpp_atomic_monitor(const volatile __word *) noexcept { return 0; }
void __libcpp_atomic_wait(const volatile void *p, __cxx_contention_t) noexcept { __cxx_atomic_sleep(plain(p)); }
void __libcpp_atomic_wait(const volatile __word *p, __cxx_contention_t) noexcept { __cxx_atomic_sleep(plain(p)); }

_LIBCPP_END_NAMESPACE_STD
