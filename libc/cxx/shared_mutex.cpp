// shared_mutex.cpp - shared locks: see shared_lock.c, which these call.
#include <shared_mutex>

_LIBCPP_BEGIN_NAMESPACE_STD

__shared_mutex_base::__shared_mutex_base() = default;
__shared_mutex_base::~__shared_mutex_base() { __cxx_shared_lock_destroy(&__lock_); }

void __shared_mutex_base::lock() { __cxx_lock(&__lock_); }
bool __shared_mutex_base::try_lock() { return __cxx_try_lock(&__lock_); }
void __shared_mutex_base::unlock() { __cxx_unlock(&__lock_); }
void __shared_mutex_base::lock_shared() { __cxx_lock_shared(&__lock_); }
bool __shared_mutex_base::try_lock_shared() { return __cxx_try_lock_shared(&__lock_); }
void __shared_mutex_base::unlock_shared() { __cxx_unlock_shared(&__lock_); }

shared_timed_mutex::shared_timed_mutex() = default;
void shared_timed_mutex::lock() { __base_.lock(); }
bool shared_timed_mutex::try_lock() { return __base_.try_lock(); }
void shared_timed_mutex::unlock() { __base_.unlock(); }
void shared_timed_mutex::lock_shared() { __base_.lock_shared(); }
bool shared_timed_mutex::try_lock_shared() { return __base_.try_lock_shared(); }
void shared_timed_mutex::unlock_shared() { __base_.unlock_shared(); }

_LIBCPP_END_NAMESPACE_STD
