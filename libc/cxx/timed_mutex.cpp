// timed_mutex.cpp - locks with time limits: pthread's mutexes have them.
#include <mutex>

extern "C" [[noreturn]] void __cxx_misuse(const char *);

_LIBCPP_BEGIN_NAMESPACE_STD

timed_mutex::timed_mutex() = default;
timed_mutex::~timed_mutex() = default;
void timed_mutex::lock() { __m_.lock(); }
bool timed_mutex::try_lock() noexcept { return __m_.try_lock(); }
void timed_mutex::unlock() noexcept { __m_.unlock(); }

recursive_timed_mutex::recursive_timed_mutex() = default;
recursive_timed_mutex::~recursive_timed_mutex() = default;
void recursive_timed_mutex::lock() { __m_.lock(); }
bool recursive_timed_mutex::try_lock() noexcept { return __m_.try_lock(); }

void recursive_timed_mutex::unlock() noexcept
{
    if (pthread_mutex_unlock(__m_.native_handle()))
        __cxx_misuse("std::recursive_timed_mutex::unlock: the thread has not locked it");
}

_LIBCPP_END_NAMESPACE_STD
