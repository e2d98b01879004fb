/* poll_with_backoff.h - replaces libc++'s, which polls, counts and looks at the
 * clock: here nobody spins.
 *
 * atomic::wait and what is built on it: the value is looked at and the thread
 * queued in one visible action (wait.c).  A wait with a time limit can end at any
 * moment, so one look is all it takes; unless time passes only while all threads wait
 * (--clock=prompt): then another look is taken at the limit. */
#ifndef _LIBCPP___THREAD_POLL_WITH_BACKOFF_H
#define _LIBCPP___THREAD_POLL_WITH_BACKOFF_H

#include <__chrono/duration.h>
#include <__config>
#include <__thread/support.h>
#include <__type_traits/decay.h>

#pragma GCC system_header

extern "C" {
void __cxx_atomic_wait_begin(const volatile void *__address) _NOEXCEPT;
void __cxx_atomic_wait_end() _NOEXCEPT;
void __cxx_atomic_wake_all(const void *__address) _NOEXCEPT;
bool __cxx_wait_limit(long long __nanoseconds) _NOEXCEPT;
}

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Waitable, class _Test> struct __atomic_wait_backoff_impl;
template <class _Waitable, class _Enable> struct __atomic_waitable_traits;

template <class _Poll, class _Waitable, class _Test>
_LIBCPP_HIDE_FROM_ABI bool
__libcpp_thread_poll_with_backoff(_Poll &&,
                                  __atomic_wait_backoff_impl<_Waitable, _Test> &__wait)
{
    __cxx_atomic_wait_begin(
        __atomic_waitable_traits<__decay_t<_Waitable>, void>::__atomic_contention_address(
            __wait.__a_));
    while (!__wait(chrono::nanoseconds::max())) {
    }
    __cxx_atomic_wait_end();
    return false;
}

template <class _Poll, class _Backoff>
_LIBCPP_HIDE_FROM_ABI bool __libcpp_thread_poll_with_backoff(_Poll &&__poll, _Backoff &&,
                                                             chrono::nanoseconds __limit)
{
    return __poll() || (__cxx_wait_limit(__limit.count()) && __poll());
}

struct __spinning_backoff_policy {
};

_LIBCPP_END_NAMESPACE_STD

#endif
