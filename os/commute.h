/* commute.h - what the kernel tells searches: which of its steps commute with what other
 * threads do, and which assumptions fail.
 *
 * All of it is said by the running thread, of the transition that it is in.  A search trusts
 * these words, so each use needs its reason. */
#ifndef OS_COMMUTE_H
#define OS_COMMUTE_H

#include "os/state.h"

/* Begins bookkeeping that commutes with what others do, up to os_commutes_end or the next
 * stop. */
OS_INLINE void os_commutes_begin(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_COMMUTES);
}

OS_INLINE void os_commutes_end(void)
{
    __divm_control(VM_REG_FLAGS, VM_ANDNOT, VM_FLAG_COMMUTES);
}

/* In the kernel: begins reads, up to os_reads_fixed_end or the next stop, outside of commuting
 * sections, of what is there only because somebody has written it, and was known to be
 * there. */
OS_INLINE void os_reads_fixed_begin(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_READS_FIXED);
}

OS_INLINE void os_reads_fixed_end(void)
{
    __divm_control(VM_REG_FLAGS, VM_ANDNOT, VM_FLAG_READS_FIXED);
}

/* Says that this transition has effects on others which its accesses do not show: searches by
 * executions give up. */
OS_INLINE void os_opaque(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_OPAQUE);
}

/* In the kernel: tells that the program gets to know which threads have which tid.  That of the
 * main thread is always the same; which others are free depends on which threads have ended.
 * So the search by executions gives up, and nothing is left out of which this could tell. */
OS_INLINE void os_show_tids(void)
{
    os_opaque();
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_ORDER | VM_FLAG_TID);
}

/* Tells that the order in which threads are joined, and so when they are gone, matters to what
 * follows. */
OS_INLINE void os_ask_order(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_ORDER);
}

/* Says that the contents of variables which other threads do not use any more matter to what
 * follows. */
OS_INLINE void os_ask_dead(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_DEAD);
}

/* Has the program a handle of the thread?  Which of the threads with a deferred join was joined
 * first does not matter, unless others ask for them meanwhile. */
OS_INLINE bool os_is_known(const struct os_thread *thread)
{
    if (!os_is_thread(thread))
        return false;
    if (thread->joiner && thread->joiner->deferred)
        os_ask_order();
    return true;
}

/* Has a thread run before all others and without a choice, because what it does up to its next
 * visible action commutes with all they do: it has just been made, or its wait has ended and
 * its open footprint is empty. */
OS_INLINE void os_run_eagerly(struct os_thread *thread)
{
    struct os_state *state = os_state();
    if (state->options & VM_BOOT_NO_EAGER)
        return;
    thread->eager = 1;
    state->special++;
}

/* Referred to by functions with which a thread can be interrupted anywhere: the end
 * of a thread is then no conditionally visible action any more. */
void os_async(void);
/* Referred to by functions that tell what another thread has until it ends. */
void os_see_ends(void);
/* Referred to by functions that can give descriptor 1 another file: to print is then a visible
 * action where there are other threads. */
void os_redirect(void);

/* Not 0 where others can interrupt a thread before it ends (os/async.c), and where they can
 * tell that its end has come (os/ends.c): the end does not commute with what they do then. */
extern const int os_interruptible;
extern const int os_sees_ends;
extern const int os_redirects; /* not 0 where descriptors can change: os/redirect.c */

#endif
