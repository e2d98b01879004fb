/* shared_lock.c - the lock in a std::shared_mutex.
 *
 * A writer first gets the place of the one who writes, which keeps others from coming in, and
 * then waits until no one reads.  Threads list what they have locked for reading
 * (os/reading.h). */
#include "libc/cxx/include/__mutex/shared_lock.h"
#include "os/clock.h"
#include "os/error.h"
#include "os/mode.h"
#include "os/reading.h"
#include "os/state.h"
#include "os/wait.h"

_Noreturn void __cxx_misuse(const char *message);

enum { DESTROYED = -1 };

struct lock {
    struct os_lock writing; /* type: 0 or DESTROYED; word: 1 while owner writes, or is to */
    struct os_lock reading; /* word: how many read */
};
_Static_assert(sizeof(struct lock) == sizeof(struct __cxx_shared_lock), "struct lock");

/* Enters the kernel, and does the action. */
OS_INLINE struct os_thread *act(int action, struct lock *lock)
{
    struct os_thread *self = os_enter();
    os_act(action, lock, sizeof *lock);
    return self;
}

OS_INLINE void check(const struct lock *lock)
{
    if (lock->writing.type == DESTROYED)
        __cxx_misuse("a std::shared_mutex is used that was destroyed");
}

void __cxx_shared_lock_destroy(struct __cxx_shared_lock *words)
{
    struct lock *lock = (struct lock *)words;
    act(VM_ACT_DESTROY, lock);
    check(lock);
    if (lock->writing.word || lock->reading.word)
        __cxx_misuse("a std::shared_mutex is destroyed while it is locked");
    lock->writing.type = DESTROYED;
    os_leave();
}

/* Waits until the part is nobody's; false if its limit has passed.  NULL: there is none. */
OS_INLINE bool wait_for(int action, struct lock *lock, struct os_lock *part,
                        const struct timespec *limit)
{
    if (!limit || os_is_never(limit->tv_sec)) {
        os_wait_held(action, lock, sizeof *lock, &part->word, OS_WHILE_NONZERO | OS_LOCK,
                     part->owner);
        return true;
    }
    os_limit_begin(limit->tv_sec, limit->tv_nsec, &part->word, OS_WHILE_NONZERO);
    bool free = os_wait_timed(action, lock, sizeof *lock, &part->word, OS_WHILE_NONZERO);
    os_time_out(!free);
    return free;
}

/* Leaves the kernel; returns whether the lock was got, or else the limit has passed. */
OS_INLINE bool leave(bool got, const struct timespec *limit)
{
    os_leave();
    if (!got)
        os_clock_until(limit->tv_sec, limit->tv_nsec);
    return got;
}

/* ---- for writing ---- */

OS_INLINE void begin_writing(struct lock *lock, struct os_thread *self)
{
    lock->writing.word = 1;
    lock->writing.owner = self;
    self->holds++;
}

OS_INLINE void end_writing(struct lock *lock, struct os_thread *self)
{
    lock->writing.word = 0;
    lock->writing.owner = NULL;
    self->holds--;
}

/* Who writes comes after all who wrote or read before. */
OS_INLINE void write_after(struct lock *lock)
{
    os_be_told(&lock->writing);
    os_be_told(&lock->reading);
}

bool __cxx_lock_until(struct __cxx_shared_lock *words, const struct timespec *limit)
{
    struct lock *lock = (struct lock *)words;
    struct os_thread *self = os_enter();
    bool got = wait_for(VM_ACT_WRLOCK, lock, &lock->writing, limit);
    check(lock);
    if (got) {
        begin_writing(lock, self);
        got = !lock->reading.word || wait_for(VM_ACT_WRLOCK, lock, &lock->reading, limit);
        if (got)
            write_after(lock);
        else
            end_writing(lock, self);
    }
    return leave(got, limit);
}

void __cxx_lock(struct __cxx_shared_lock *words)
{
    __cxx_lock_until(words, NULL);
}

bool __cxx_try_lock(struct __cxx_shared_lock *words)
{
    struct lock *lock = (struct lock *)words;
    struct os_thread *self = act(VM_ACT_WRLOCK, lock);
    check(lock);
    bool free = !lock->writing.word && !lock->reading.word;
    if (free) {
        begin_writing(lock, self);
        write_after(lock);
    }
    os_leave();
    return free;
}

void __cxx_unlock(struct __cxx_shared_lock *words)
{
    struct lock *lock = (struct lock *)words;
    struct os_thread *self = act(VM_ACT_RWUNLOCK, lock);
    check(lock);
    if (!lock->writing.word || lock->reading.word)
        __cxx_misuse("std::shared_mutex::unlock: no thread has locked it for writing");
    if (lock->writing.owner != self)
        __cxx_misuse("std::shared_mutex::unlock: another thread has locked it for writing");
    os_pass_on(&lock->writing);
    end_writing(lock, self);
    os_leave();
}

/* ---- for reading ---- */

/* Who reads comes after all who wrote. */
OS_INLINE void begin_reading(struct lock *lock, struct os_thread *self)
{
    lock->reading.word++;
    reading_add(self, &lock->reading);
    os_be_told(&lock->writing);
}

bool __cxx_lock_shared_until(struct __cxx_shared_lock *words, const struct timespec *limit)
{
    struct lock *lock = (struct lock *)words;
    struct os_thread *self = os_enter();
    bool got = wait_for(VM_ACT_RDLOCK, lock, &lock->writing, limit);
    check(lock);
    if (got)
        begin_reading(lock, self);
    return leave(got, limit);
}

void __cxx_lock_shared(struct __cxx_shared_lock *words)
{
    __cxx_lock_shared_until(words, NULL);
}

bool __cxx_try_lock_shared(struct __cxx_shared_lock *words)
{
    struct lock *lock = (struct lock *)words;
    struct os_thread *self = act(VM_ACT_RDLOCK, lock);
    check(lock);
    bool free = !lock->writing.word;
    if (free)
        begin_reading(lock, self);
    os_leave();
    return free;
}

/* Who writes comes after this, and who reads does not. */
void __cxx_unlock_shared(struct __cxx_shared_lock *words)
{
    struct lock *lock = (struct lock *)words;
    struct os_thread *self = act(VM_ACT_RWUNLOCK, lock);
    check(lock);
    if (!lock->reading.word)
        __cxx_misuse("std::shared_mutex::unlock_shared: no thread has locked it for reading");
    if (!reading_remove(self, &lock->reading))
        __cxx_misuse(
            "std::shared_mutex::unlock_shared: the thread has not locked it for reading");
    os_pass_on(&lock->reading);
    lock->reading.word--;
    os_leave();
}
