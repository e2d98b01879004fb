#!/bin/sh
# patch.sh - what is changed in the sources of libc++.
# usage: patch.sh DIR
set -eu
cd "$1/libcxx"

# change FILE SCRIPT: sed, with the whole file as one line; a file that stays as it is is not
# what this was written for.
change() {
    sed -Ez "$2" "$1" > "$1.new"
    if cmp -s "$1" "$1.new"; then
        echo "patch.sh: libcxx/$1 is not as expected: $2" >&2
        exit 1
    fi
    mv "$1.new" "$1"
}

# After a wait with a time limit it looks at the clock to find out whether time is over.  Here
# the wait itself says so: clocks may stand still, and time is over all the same.
# condition_variable::__do_timed_wait: whether time was over
cv=include/__condition_variable/condition_variable.h
for file in "$cv" src/condition_variable.cpp; do
    change "$file" 's/void(\s+(condition_variable::)?__do_timed_wait\()/bool\1/g'
    change "$file" 's/(\w+) != ETIMEDOUT\)[^;]*;/&\n  return \1 == ETIMEDOUT;/g'
done
change "$cv" 's/\n  (wait_for\(__lk, __tp - _Clock::now\(\)\));/\n  return \1 == cv_status::timeout;/'
change "$cv" 's/\n *(__do_timed_wait\([^;]*\));/\n  if (\1)\n    return cv_status::timeout;/g'

# These wait in a loop for as long as the clock wants it.
change include/future \
    's/ && _Clock::now\(\) < __abs_time\)\s*(__cv_.wait_until\(__lk, __abs_time\));/ \&\&\n         \1 == cv_status::no_timeout) {\n  }/'
change include/__thread/this_thread.h \
    's/  mutex __mut;.*\n  while \(_Clock::now\(\) < __t\)\s*__cv.wait_until\(__lk, __t\);/  this_thread::sleep_for(__t - _Clock::now());/'

# Whether a promise was kept is asked without the lock under which a future is attached, and a state
# made ready when a thread ends: it has a variable of its own, which these do not change.
kept='__satisfied_ = true;'
change include/future "s/(condition_variable __cv_;\s*unsigned __state_;)/\1\n  bool __satisfied_;/
    s/(__assoc_sub_state\(\) : __state_\(0\))/\1, __satisfied_(false)/
    s/(bool __has_value\(\) const \{ return )[^}]*\}/\1__satisfied_; }/
    s/\n *this->__state_ \|= base::__constructed[^;]*;/&\n  this->$kept/g"
change src/future.cpp "s/\n *__state_ \|= __constructed[^;]*;/&\n  $kept/g
    s/\n *__exception_ = __p;/&\n  $kept/g"

# std::lock of three and more calls itself again when another thread is in its way: the stack
# would grow for ever.  It returns which lock is to be the first one next, or -1.
change include/mutex 's/void (__lock_first\(int __i, _L0)/int \1/
    s/(__u[01]\.release\(\);\s*return);(\s*\}\s*\}\s*)(\+\+__i;|if \(__i == sizeof[^;]*;\s*else\s*__i \+= 2;)\s*__libcpp_thread_yield\(\);\s*break;/\1 -1;\2\3\n      return __i;/g
    s/(default:\s*)(std::__lock_first\(__i - 2,[^;]*;)\s*return;/\1__i = \2\n      return __i < 0 ? -1 : (__i + 2) % (sizeof...(_L3) + 3);/
    s/  std::__lock_first\(0, ([^;]*)\);/  for (int __i = 0; (__i = std::__lock_first(__i, \1)) >= 0;)\n    __libcpp_thread_yield();/'

# Misuse of these is an error unless --hardening=none is given, as with locks; the maximum of a
# semaphore is what max() says.
change include/latch 's/_LIBCPP_ASSERT_ARGUMENT_WITHIN_DOMAIN/_LIBCPP_ASSERT_VALID_ELEMENT_ACCESS/g'
change include/semaphore 's/_LIBCPP_ASSERT_ARGUMENT_WITHIN_DOMAIN/_LIBCPP_ASSERT_VALID_ELEMENT_ACCESS/g
    s/(void release\(ptrdiff_t __update) = 1(\) \{\s*auto __old)/\1, ptrdiff_t __max\2/
    s/_LIBCPP_SEMAPHORE_MAX( - __old, ")[^"]*/__max\1counting_semaphore::release: more than max()/
    s/(__semaphore_\.release\(__update)\)/\1, max())/'

# Who counts a latch down, or releases a semaphore, has done so before the one returns who waited
# for that and may then end its life; so has who has called a stop_callback.  To notify is to use
# the address, no more.  (An atomic that is notified must be there.)
for file in include/latch include/semaphore; do
    change "$file" 's/__a_\.notify_all\(\)/__cxx_atomic_wake_all(\&__a_)/'
done
change include/__stop_token/stop_state.h \
    's/__cb->__completed_\.notify_all\(\)/__cxx_atomic_wake_all(\&__cb->__completed_)/'

# A stop_callback is called by its constructor if stop was requested already, which is known by a
# relaxed load there; [thread.stoptoken.intro] has what came before the request happen before that.
change include/__stop_token/atomic_unique_lock.h \
    's/(__state_.load\(std::memory_order_)relaxed/\1acquire/g
    s/(__state_.wait\(__current_state, std::memory_order_)relaxed/\1acquire/
    s/std::memory_order_relaxed( \/\/ fail)/std::memory_order_acquire\1/'

# Values are compared, not padding: see vm/load/prepare/load_exchange.c.
change include/__atomic/atomic_sync.h 's/  (return std::memcmp\(std::addressof\(__lhs\), [^;]*;)/  if (__has_unique_object_representations(_Tp))\n    \1\n  _Tp __left = __lhs, __right = __rhs;\n  return __atomic_compare_exchange(std::addressof(__left), std::addressof(__right), std::addressof(__left), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);/'

# Whether a string or vector is given a part of itself: see libc/cxx/range.c.
range='reinterpret_cast<const char*>'
change include/__utility/is_pointer_in_range.h "s/_LIBCPP_BEGIN_NAMESPACE_STD/extern \"C\" bool __cxx_is_in_range(const char*, const char*, const char*) _NOEXCEPT;\n\n&/
    s/(\n *)(return !__less<>)/\1if (!__libcpp_is_constant_evaluated())\1  return __cxx_is_in_range($range(__begin), $range(__end), $range(__ptr));\1\2/
    s/return [a-z_<> ]*char\*>\(__begin\) <= [^;]*;/return __cxx_is_in_range($range(__begin), $range(__end), $range(__ptr));/"

# Which of some mutexes protects an atomic std::shared_ptr is not chosen by its address: it is one.
change src/memory.cpp 's/muts\[hash<const void\*>\(\)\(p\) & \(__sp_mut_count - 1\)\]/muts[0]/
    s/(__get_sp_mut\(const void\*) p\)/\1)/'

# That a std::weak_ptr still has its object, or no more, orders nothing.
change src/memory.cpp 's/(long object_owners = __libcpp_atomic_load\(&__shared_owners_)\)/\1, _AO_Relaxed)/
    s/(&object_owners, object_owners \+ 1)\)/\1, _AO_Relaxed, _AO_Relaxed)/'

# A shared lock is one of its own (libc/cxx/shared_lock.c), and locks with time limits are pthread's, which
# has them.  libc++ makes both of a mutex and condition variables: these would order all who use the
# same lock, and take several steps each time.  Other functions: shared_mutex.cpp, timed_mutex.cpp.
limit='timespec __limit = std::__time_limit'
change include/shared_mutex "s/#  include <__mutex\/mutex.h>/#  include <__mutex\/shared_lock.h>/
    s/(#  include <__mutex\/tag_types.h>\n)/\1#  include <__mutex\/time_limit.h>\n/
    s/  mutex __mut_;.* __n_readers_ *= [^;]*;/  __cxx_shared_lock __lock_ = {};/
    s/_LIBCPP_HIDE_FROM_ABI (~__shared_mutex_base\(\)) = default;/\1;/
    s/\{[^}]*__write_entered_\) \{.*\n\}\n\n(template <class _Clock, class _Duration>\nbool shared_timed_mutex::try_lock_shared_until[^{]*)\{.*\n\}\n\n(template <class _Mutex>\nclass shared_lock )/{\n  $limit(__abs_time);\n  return __cxx_lock_until(\&__base_.__lock_, \&__limit);\n}\n\n\1{\n  $limit(__abs_time);\n  return __cxx_lock_shared_until(\&__base_.__lock_, \&__limit);\n}\n\n\2/"
timed="\{\n  $limit(__t);\n  return pthread_mutex_clocklock(__m_.native_handle(), CLOCK_MONOTONIC, \&__limit) == 0;\n\}"
change include/mutex "s/#include <__mutex\/tag_types.h>\n/&#include <__mutex\/time_limit.h>\n/
    s/(class _LIBCPP_EXPORTED_FROM_ABI timed_mutex \{\n  mutex __m_;)\s*condition_variable __cv_;\s*bool __locked_;/\1/
    s/(class _LIBCPP_EXPORTED_FROM_ABI recursive_timed_mutex \{\n  )mutex __m_;\s*condition_variable __cv_;\s*size_t __count_;\s*__thread_id __id_;/\1recursive_mutex __m_;/
    s/(bool timed_mutex::try_lock_until[^{]*)\{.*\n\}(\n\nclass _LIBCPP_EXPORTED_FROM_ABI recursive_timed_mutex)/\1$timed\2/
    s/(bool recursive_timed_mutex::try_lock_until[^{]*)\{.*\n\}(\n\ntemplate <class _L0, class _L1>\n_LIBCPP_HIDE_FROM_ABI int try_lock\(_L0& __l0, _L1& __l1\))/\1$timed\2/"
misuse='extern "C" _LIBCPP_NORETURN void __cxx_misuse(const char*);\n'
change src/mutex.cpp "s/_LIBCPP_BEGIN_NAMESPACE_STD/&\n\n$misuse/
    s/\(void\)e;(\s*_LIBCPP_ASSERT_VALID_EXTERNAL_API_CALL\(\s*e == 0, .call to recursive_mutex::unlock)/if (e)\n    __cxx_misuse(\"std::recursive_mutex::unlock: the thread has not locked it\");\1/
    s/\/\/ timed_mutex\n.*(\n_LIBCPP_END_NAMESPACE_STD)/\1/"

# What a vector, a string or a deque does not contain any more is undefined, though its memory
# goes on.
change include/__debug_utils/sanitizers.h \
    's/_LIBCPP_BEGIN_NAMESPACE_STD/extern "C" void __cxx_undefine(const void*, const void*) _NOEXCEPT;\n\n&/'
shrink='(void __annotate_shrink\(size_type __old_size\) const _NOEXCEPT \{\s*)\(void\)__old_size;'
for file in include/vector include/string; do
    change "$file" "s/$shrink/\1if (!__libcpp_is_constant_evaluated() \&\& __old_size > size())\n      __cxx_undefine(std::__to_address(data() + size() + _Past), std::__to_address(data() + __old_size + _Past));/"
done
change include/vector 's/ \+ _Past//g'
change include/string 's/ \+ _Past/ + 1/g' # the null character goes on
change include/deque 's/(void __annotate_shrink_front\([^)]*\) const _NOEXCEPT \{\s*)\(void\)__old_size;\s*\(void\)__old_start;/\1__undefine(__old_start, __old_start + (__old_size - size()));/
    s/(void __annotate_shrink_back\([^)]*\) const _NOEXCEPT \{\s*)\(void\)__old_size;\s*\(void\)__old_start;/\1__undefine(__old_start + size(), __old_start + __old_size);/
    s/\n *_LIBCPP_HIDE_FROM_ABI void __annotate_shrink_front/\n\n  _LIBCPP_HIDE_FROM_ABI void __undefine(size_type __first, size_type __last) const _NOEXCEPT {\n    for (; __first < __last; ++__first) {\n      const value_type* __p = std::__to_address(__map_.begin()[__first \/ __block_size] + __first % __block_size);\n      __cxx_undefine(__p, __p + 1);\n    }\n  }\n&/'

# There is no sendfile here: files are copied by streams.
change src/filesystem/operations.cpp 's/__has_include\(<sys\/sendfile.h>\)/0/'

# What threads would make when the first of them needs it is made before main: who comes first
# makes no difference, would be looked at in each way, and fills what is told of a run.
early='__attribute__((constructor(101))) static void __make_before_main()'
change src/thread.cpp "s/(static __thread_specific_ptr<__thread_struct>\* __p = [^}]*\})/\1\n\n$early { __thread_local_data(); }/"
change src/locale.cpp "s/(static __no_destroy<locale> g\(locale::classic\(\)\);[^}]*\})/\1\n\n$early { locale(); }/"
