/* signal.h - signals: sending, taking and masking them, and the ends of cancelled threads.
 *
 * Linked where a program uses signals (os/signal.c), so others of the kernel know it by weak
 * functions. */
#ifndef OS_SIGNAL_H
#define OS_SIGNAL_H

#include "os/state.h"

/* In the kernel: has a thread that is about to run take a signal or be cancelled first.  If
 * there is nothing of the kind after all, it just goes on. */
void os_signal_prepare(struct os_thread *thread);
/* In the kernel: updates whether the thread is urgent.  To be called when what decides that has
 * changed. */
void os_signal_refresh(struct os_thread *thread);
/* Calls the handlers of the calling thread's pending signals, from user mode.
 * True if an interrupted call is to go on (SA_RESTART). */
bool os_signal_take(void);
/* In the kernel, for a call that may have a mask of its own (NULL: none).  os_signal_mask: the
 * thread has that mask from now on; returns the one before.  os_signal_is_due: does the
 * thread's mask let a signal through?  os_signal_unmask: ends the call and leaves the kernel:
 * the thread has the mask from before again, after the handlers if a signal has interrupted
 * it. */
uint64_t os_signal_mask(const uint64_t *mask);
bool os_signal_is_due(void);
void os_signal_unmask(const uint64_t *mask, uint64_t before, bool interrupted);
/* In the kernel: lets the calling thread go on in this frame (NULL: it ends).  It does not go
 * back to what was interrupted by the handlers that it leaves thereby. */
void os_leave_handlers(const struct vm_frame *frame);

/* Sends a signal to a thread or a process (NULL: the only one), in the kernel. */
void os_signal_send(struct os_thread *thread, int signal);
void os_signal_send_process(struct os_process *process, int signal);
/* For a child.  os_signals_copy: the handlers, without what is pending.  os_signal_is_ignored:
 * was the signal to be ignored? */
struct os_signals *os_signals_copy(const struct os_signals *from);
bool os_signal_is_ignored(const struct os_own *own, int signal);

/* Ends a cancelled thread, from any mode; libpthread's, where threads can be. */
_Noreturn void __os_cancelled(void);

bool os_has_handler(int signal); /* a function of the process */

#endif
