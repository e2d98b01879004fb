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

/* Has the running thread joined others late, and not waited for their ends yet?  And now it
 * need not wait for them any more. */
OS_INLINE bool os_is_late(void)
{
    return __divm_control(VM_REG_DEFERRED, VM_GET, 0) != 0;
}
OS_INLINE void os_be_late_no_more(void)
{
    __divm_control(VM_REG_DEFERRED, VM_SET, 0);
}

/* The threads that the calling one has joined by a deferred join: waits for their ends, and
 * frees them. In the kernel; commuting then. */
void os_await_joined(void);
/* Waits as os_await_joined does, before the process ends: if no other threads are left, the
 * joined ones need not be freed. */
void os_await_ends(void);

/* To kernel mode, without a stop: what the thread touches before the next one commutes with
 * what others do.  Threads that it has joined by a deferred join have ended: the machine sees
 * to that. */
OS_INLINE struct os_thread *os_enter(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_KERNEL | VM_FLAG_COMMUTES);
    return os_self();
}

/* Before os_enter: these may be running still.  Nothing but what the thread itself has, and
 * what commutes with their ends, may be touched until os_await_joined or os_leave. */
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
