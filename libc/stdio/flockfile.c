/* flockfile.c - the lock of a stream: OS_LISTED while a thread has it, or 0.  Who
 * cannot have it waits in the kernel, as for a mutex.  Only this word is what the
 * actions are about: the rest of the stream is its holder's.  Standard output and error
 * have none (-1): printing does not change them, and is no part of a state. */
#include "os/mode.h"
#include "os/reading.h"
#include "os/state.h"
#include "os/wait.h"
#include "stdio_impl.h"

/* Has the thread the lock already, or does the stream need none, since it does not change?  In
 * the kernel, so that this is no race. */
static int is_mine(const FILE *f, const struct os_thread *self)
{
    return f->lock < 0 || reading_has(self, (const void *)&f->lock);
}

/* Locks; returns 0 if there is nothing to do, and so nothing to undo. */
int __lockfile(FILE *f)
{
    struct os_thread *self = os_enter();
    if (is_mine(f, self)) {
        os_leave();
        return 0;
    }
    const int *lock = (const int *)&f->lock;
    os_wait_held(VM_ACT_LOCK, lock, sizeof *lock, lock, OS_WHILE_NONZERO | OS_HOLDER, NULL);
    f->lock = OS_LISTED;
    reading_add(self, (const void *)&f->lock);
    os_leave();
    return 1;
}

void __unlockfile(FILE *f)
{
    struct os_thread *self = os_enter();
    os_act(VM_ACT_UNLOCK, (const void *)&f->lock, sizeof f->lock);
    f->lock = 0;
    reading_remove(self, (const void *)&f->lock);
    os_leave();
}

void flockfile(FILE *f)
{
    if (__lockfile(f))
        return;
    os_enter();
    if (f->lock > 0)
        f->lockcount++;
    os_leave();
}

int ftrylockfile(FILE *f)
{
    struct os_thread *self = os_enter();
    if (is_mine(f, self)) {
        if (f->lock > 0)
            f->lockcount++;
        os_leave();
        return 0;
    }
    os_act(VM_ACT_TRYLOCK, (const void *)&f->lock, sizeof f->lock);
    int busy = f->lock != 0;
    if (!busy) {
        os_be_told((const void *)&f->lock);
        f->lock = OS_LISTED;
        reading_add(self, (const void *)&f->lock);
    }
    os_leave();
    return -busy;
}

void funlockfile(FILE *f)
{
    os_enter();
    int last = f->lock > 0 && f->lockcount == 0;
    if (f->lockcount)
        f->lockcount--;
    os_leave();
    if (last)
        __unlockfile(f);
}
