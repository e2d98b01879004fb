/* time_limit.h - the time limit of a lock, as pthread has it. */
#ifndef _LIBCPP___MUTEX_TIME_LIMIT_H
#define _LIBCPP___MUTEX_TIME_LIMIT_H

#include <__chrono/duration.h>
#include <__chrono/steady_clock.h>
#include <__chrono/system_clock.h>
#include <__chrono/time_point.h>
#include <__condition_variable/condition_variable.h>
#include <__config>
#include <time.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

/* Nanoseconds.  The clocks of the standard show one time; of others it is asked how much is
 * left. Where a sum is too large, it is the last time that there is, which never comes. */
template <class _Duration>
_LIBCPP_HIDE_FROM_ABI long long
__time_count(const chrono::time_point<chrono::steady_clock, _Duration> &__t)
{
    return std::__safe_nanosecond_cast(__t.time_since_epoch()).count();
}

template <class _Duration>
_LIBCPP_HIDE_FROM_ABI long long
__time_count(const chrono::time_point<chrono::system_clock, _Duration> &__t)
{
    return std::__safe_nanosecond_cast(__t.time_since_epoch()).count();
}

template <class _Clock, class _Duration>
_LIBCPP_HIDE_FROM_ABI long long __time_count(const chrono::time_point<_Clock, _Duration> &__t)
{
    typename _Clock::time_point __now = _Clock::now();
    long long __count = 0;
    if (!(__now < __t))
        return 0;
    if (__builtin_add_overflow(
            std::__safe_nanosecond_cast(__t - __now).count(),
            std::__safe_nanosecond_cast(chrono::steady_clock::now().time_since_epoch()).count(),
            &__count))
        return chrono::nanoseconds::max().count();
    return __count;
}

template <class _Clock, class _Duration>
_LIBCPP_HIDE_FROM_ABI timespec __time_limit(const chrono::time_point<_Clock, _Duration> &__t)
{
    long long __count = std::__time_count(__t);
    timespec __limit;
    if (__count < 0) /* it is over */
        __count = 0;
    __limit.tv_sec = static_cast<time_t>(__count / 1000000000);
    __limit.tv_nsec = static_cast<long>(__count % 1000000000);
    return __limit;
}

_LIBCPP_END_NAMESPACE_STD

#endif
