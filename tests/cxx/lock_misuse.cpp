// Locks that are unlocked or destroyed as they must not be: "misuse of a C++ class".
//
// Result: correct.  -DBUG=1..13: misuse of a class or pthread misuse.
// Expect-BUG=1: misuse of a C.. class: std::shared_mutex::unlock: no thread
// Expect-BUG=3: std::shared_mutex::unlock_shared: no thread has locked it for reading
// Expect-BUG=5: a std::shared_mutex is destroyed
// Expect-BUG=9: recursive_timed_mutex::unlock: the thread has not
// Expect-BUG=13: a std::shared_mutex is used that was destroyed
// Expect-BUG=11: std::recursive_mutex::unlock: the thread has not
#include <mutex>
#include <shared_mutex>
#include <thread>

#ifndef BUG
#define BUG 0
#endif

template <class lock> static void use(lock &m)
{
    m.lock();
    m.unlock();
    std::thread([&] { std::lock_guard<lock> guard(m); }).join();
    if (m.try_lock())
        m.unlock();
}

int main()
{
    std::shared_mutex shared;
    std::shared_timed_mutex shared_timed;
    std::timed_mutex timed;
    std::recursive_timed_mutex recursive_timed;
    std::recursive_mutex recursive;
    use(shared);
    use(shared_timed);
    use(timed);
    use(recursive_timed);
    use(recursive);
    shared.lock_shared();
    shared.lock_shared();
    shared.unlock_shared();
    shared.unlock_shared();
    recursive_timed.lock();
    recursive_timed.lock();
    recursive_timed.unlock();
    recursive_timed.unlock();
    switch (BUG) {
    case 1: shared.unlock(); break;
    case 2: shared.lock_shared(), shared.unlock(); break;
    case 3: shared.unlock_shared(); break;
    case 4: shared_timed.lock(), shared_timed.unlock_shared(); break;
    case 5: shared.lock_shared(); break;
    case 6: timed.unlock(); break;
    case 7: timed.lock(); break;
    case 8: recursive_timed.unlock(); break;
    case 9:
        recursive_timed.lock(), std::thread([&] { recursive_timed.unlock(); }).join();
        break;
    case 10: recursive_timed.lock(); break;
    case 11: recursive.lock(), recursive.unlock(), recursive.unlock(); break;
    case 12: recursive.lock(), std::thread([&] { recursive.unlock(); }).join(); break;
    case 13: shared.~shared_mutex(), shared.lock_shared(); break;
    }
    return 0;
}
