/* wait.c - waiting for an atomic to change, until somebody notifies.
 *
 * The header begins with a visible action that leaves the thread in the kernel,
 * looks at the value there, and either ends or sleeps; a thread that is notified
 * looks again as its next visible action.  So no notification is lost between the
 * look and the sleep, and none is needed that the program did not send.
 *
 * The look is an atomic access of the program's, as in an atomic section: it is ordered as its
 * memory order says, and what it stores (a semaphore counts down) is a store of the place. */
#include "libc/cxx/wait.h"
#include "os/clock.h"
#include "os/mode.h"
#include "os/queue.h"
#include "os/state.h"
#include "os/wait.h"
#include <time.h>

/* look: what is executed now is the program's; look_no_more: it is the kernel's. */
static void look(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_SECTION);
}

static void look_no_more(void)
{
    __divm_control(VM_REG_FLAGS, VM_ANDNOT, VM_FLAG_SECTION);
}

void __cxx_atomic_wait_begin(const volatile void *address)
{
    os_enter();
    os_act(VM_ACT_COND_WAIT, (const void *)address, 1);
    look();
}

void __cxx_atomic_wait_end(void)
{
    os_leave();
}

void __cxx_atomic_sleep(const void *address)
{
    look_no_more();
    struct os_thread *self = os_self();
    os_enqueue(self, address);
    os_wait(VM_ACT_COND_WAKE, address, 1, &self->running, OS_FOR_EVER);
    look();
}

/* Makes a thread ready, but not to run eagerly: it looks at the value. */
static void wake(struct os_thread *thread, const void *address)
{
    os_dequeue(thread, address, &thread->running,
               (uint32_t)VM_ACT_COND_WAKE << OS_ACTION | OS_WHILE_ZERO);
}

/* Wakes, from the kernel to user mode. */
static void wake_some(const void *address, bool all)
{
    int n = os_queue_length(address);
    if (n && !all)
        wake(os_queued(address, n > 1 ? __divm_choose(n, NULL) : 0), address);
    for (struct os_thread *thread; all && (thread = os_queued(address, 0));)
        wake(thread, address);
    os_leave();
}

void __cxx_atomic_notify(const void *address, bool all)
{
    os_enter();
    os_act(all ? VM_ACT_COND_BROADCAST : VM_ACT_COND_SIGNAL, address, 1);
    (void)*(const volatile char *)address; /* an error if it is gone */
    wake_some(address, all);
}

/* The memory may be gone: a woken thread is known by its address alone. */
void __cxx_atomic_wake_all(const void *address)
{
    os_enter();
    os_act(VM_ACT_COND_BROADCAST, address, 0);
    wake_some(address, true);
}

/* Begins a wait with a limit; false if the limit may as well have passed already. */
bool __cxx_wait_limit(long long nanoseconds)
{
    enum { BILLION = 1000000000 };
    struct timespec limit = {nanoseconds / BILLION, nanoseconds % BILLION};
    return os_is_prompt() && nanosleep(&limit, NULL) == 0;
}
