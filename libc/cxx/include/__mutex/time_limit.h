/* time_limit.h - the time limit of a lock, as pthread has it. */
#ifndef _LIBCPP___MUTEX_TIME_LIMIT_H
#define _LIBCPP___MUTEX_TIME_LIMIT_H

#include <__chrono/duration.h>
#include <__chrono/steady_clock.h>
#include <__chrono/system_clock.h>
#include <__chrono/time_point.h>
#include <__condition_variable/condition_variable.h>
#include <__config>
#include <__type_traits/is_same.h>
#include <time.h>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

/* The clocks of the standard show one time.  Where a sum is too large, it is the last time that
 * there is, which never comes. */
template <class _Clock, class _Duration>
_LIBCPP_HIDE_FROM_ABI timespec __time_limit(const chrono::time_point<_Clock, _Duration> &__t)
{
    long long __count = 0;
    if constexpr (is_same<_Clock, chrono::steady_clock>::value ||
                  is_same<_Clock, chrono::system_clock>::value) {
        __count = std::__safe_nanosecond_cast(__t.time_since_epoch()).count();
    } else {
        long long __left = std::__safe_nanosecond_cast(__t - _Clock::now()).count();
        if (__builtin_add_overflow(
                __left,
                chrono::nanoseconds(chrono::steady_clock::now().time_since_epoch()).count(),
                &__count))
            __count = chrono::nanoseconds::max().count();
    }
    if (__count < 0) /* it is over */
        __count = 0;
    return {static_cast<time_t>(__count / 1000000000), static_cast<long>(__count % 1000000000)};
}

_LIBCPP_END_NAMESPACE_STD

#endif
