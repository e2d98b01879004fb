/* process.h - processes: which one a thread belongs to, what processes have of their own, and
 * their ends.
 *
 * There are no records of processes before the first fork; until then the state has what
 * belongs to the only one.  In the kernel, all of it, unless it says otherwise. */
#ifndef OS_PROCESS_H
#define OS_PROCESS_H

#include "os/state.h"

enum { OS_PROCESS = 2 }; /* the number of the first; 1 is the parent of all */

OS_INLINE struct os_process *os_process(const struct os_thread *thread)
{
    return thread->more ? thread->more->process : NULL;
}

OS_INLINE struct os_own *os_own(const struct os_thread *thread)
{
    struct os_process *process = os_process(thread);
    return process ? &process->own : &os_state()->own;
}

OS_INLINE size_t os_process_count(void)
{
    struct os_process *const *list = os_state()->processes;
    return list ? __divm_obj_size(list) / sizeof *list : 0;
}

/* Brings the memory of the thread's process in: what the thread waits for can be read. */
OS_INLINE void os_come_in(const struct os_thread *thread)
{
    if (os_state()->processes) {
        const struct os_process *process = os_process(thread);
        __divm_control(VM_REG_ADDRESS_SPACE, VM_SET,
                       (uint64_t)(process ? process->space : NULL));
    }
}

/* Is this address the same place for both?  Global variables have one address in all
 * processes. */
OS_INLINE bool os_is_same_place(const void *address, const struct os_thread *a,
                                const struct os_thread *b)
{
    return (uint64_t)address >> 61 != VM_ID_GLOBAL || os_process(a) == os_process(b);
}

/* In the kernel: ends the calling thread's process, with all its threads, and with what they
 * have in their frames.  The options are the state's. */
_Noreturn void os_process_end(int status, uint32_t options);
/* In the kernel: gives away the robust mutexes of a thread whose process ends; libpthread's,
 * where there are mutexes. */
void __os_leave_robust(struct os_thread *thread);

long os_fork(void);

/* Lets the process die from now on: a death test wants it.  Only its parent knows. */
void __os_may_die(void);
/* In the kernel: may the process die?  If it may, it dies of faults that it would die of on a
 * real machine. */
bool os_may_die(void);
void os_die(int fault, struct vm_frame *at);

#endif
