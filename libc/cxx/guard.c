/* guard.c - the guards of static locals.
 *
 * The compiler looks at the first byte and calls acquire if it is 0.  That look is
 * no visible action (the loader makes guards kernel objects): acquire, which is
 * one, looks again. */
#include "os/error.h"
#include "os/mode.h"
#include "os/reading.h"
#include "os/state.h"
#include "os/wait.h"

struct guard {
    char done;
    int busy; /* not 0 while the initialiser runs; the thread that runs it has this word listed
               */
};

int __cxa_guard_acquire(struct guard *guard);
void __cxa_guard_release(struct guard *guard);
void __cxa_guard_abort(struct guard *guard);

int __cxa_guard_acquire(struct guard *guard)
{
    struct os_thread *self = os_enter();
    if (reading_has(self, &guard->busy))
        __os_error(VM_FAULT_ABORT, "the initialiser of a static local needs the same local");
    os_wait_held(VM_ACT_ONCE, guard, sizeof *guard, &guard->busy, OS_WHILE_NONZERO | OS_HOLDER,
                 NULL);
    bool mine = !guard->done;
    if (mine) {
        guard->busy = OS_LISTED;
        reading_add(self, &guard->busy);
    }
    os_leave();
    return mine;
}

/* Ends the initialiser.  Weak: its plain accesses must be over before others go on. */
static void end(struct guard *guard, bool done)
{
    struct os_thread *self = os_enter();
    os_act(VM_ACT_ONCE | VM_ACT_CONDITIONAL, guard, sizeof *guard);
    guard->done = done;
    guard->busy = 0;
    reading_remove(self, &guard->busy);
    os_leave();
}

void __cxa_guard_release(struct guard *guard)
{
    end(guard, true);
}

void __cxa_guard_abort(struct guard *guard)
{
    end(guard, false);
}
