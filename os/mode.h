/* mode.h - user mode and the kernel: how a thread gets from one to the other.
 *
 * A thread runs in user mode (plain code) or in the kernel (VM_FLAG_KERNEL), where there are no
 * interrupts and no race checks, and everything that it does is one atomic step.  Every
 * blocking call has one shape:
 *
 *     struct os_thread *self = os_enter();
 *     ... what only this thread can change may be read here (VM_FLAG_COMMUTES) ...
 *     os_wait(ACTION, object, size, &word, OS_WHILE_NONZERO);    it stops here
 *     ... read and change what all threads share, without waiting ...
 *     os_leave(); */
#ifndef OS_MODE_H
#define OS_MODE_H

#include "os/state.h"

/* os_is_late: has the running thread deferred joins, and not waited for their ends yet?
 * os_be_late_no_more: it need not wait for them any more. */
OS_INLINE bool os_is_late(void)
{
    return __divm_control(VM_REG_DEFERRED, VM_GET, 0) != 0;
}
OS_INLINE void os_be_late_no_more(void)
{
    __divm_control(VM_REG_DEFERRED, VM_SET, 0);
}

/* Waits for the ends of the threads with a deferred join by the calling one, and frees them.
 * In the kernel; in a commuting section then. */
void os_await_joined(void);
/* Waits as os_await_joined does, before the process ends: if no other threads are left, the
 * joined ones need not be freed. */
void os_await_ends(void);

/* Enters the kernel without a stop: what the thread accesses before the next one commutes with
 * what others do.  Threads with a deferred join by it have ended: the machine sees to that. */
OS_INLINE struct os_thread *os_enter(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_KERNEL | VM_FLAG_COMMUTES);
    return os_self();
}

/* Lets these threads run on: to be called before os_enter.  Nothing but what the thread itself
 * has, and what commutes with their ends, may be accessed until os_await_joined or os_leave. */
OS_INLINE void os_stay_late(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_DEFERRED);
}

/* Says that these threads have ended; the call goes on. */
OS_INLINE void os_stay_late_no_more(void)
{
    __divm_control(VM_REG_FLAGS, VM_ANDNOT, VM_FLAG_DEFERRED);
}

OS_INLINE void os_leave(void)
{
    __divm_control(VM_REG_FLAGS, VM_ANDNOT,
                   VM_FLAG_KERNEL | VM_FLAG_COMMUTES | VM_FLAG_READS_FIXED | VM_FLAG_SECTION |
                       VM_FLAG_DEFERRED);
}

/* Ends the transition with these VM_FLAG_*; the running stack is dropped. */
OS_INLINE _Noreturn void os_stop(uint64_t flags)
{
    __divm_control(VM_REG_SAVE, VM_SET, 0);
    __divm_control(VM_REG_FLAGS, VM_OR, flags | VM_FLAG_STOP);
    __builtin_unreachable();
}

#endif
