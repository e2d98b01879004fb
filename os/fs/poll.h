/* poll.h - polling descriptors: waiting for them, what can be seen of them, and what changes
 * it.  In the kernel.
 *
 * In the kernel. */
#ifndef OS_FS_POLL_H
#define OS_FS_POLL_H

#include "os/fs/open.h"

/* poll.c: has threads that poll look again; to be called when something has changed. */
void os_poll_wake(void);
/* Waits for that; true if a signal or a request to cancel came.  A call with a mask of its own
 * for signals (os_signal_mask) does not go on after one, and one may be there already. */
bool os_poll_wait(const uint64_t *mask);
/* Is the call to wait, since nothing was found? */
bool os_poll_waits(long milliseconds, const uint64_t *mask);
/* Stops until the word is not 0; false if a signal or a request to cancel came. */
bool os_node_wait(struct os_node *node, const int *word);
enum {
    OS_POLL_IN = 1,
    OS_POLL_OUT = 4,
    OS_POLL_ERR = 8,
    OS_POLL_HUP = 16,
    OS_POLL_NVAL = 32,
    OS_POLL_RDHUP = 0x2000, /* of a stream socket: nothing more will come */
    OS_POLL_ALL = OS_POLL_IN | OS_POLL_OUT | OS_POLL_ERR | OS_POLL_HUP | OS_POLL_RDHUP
};
/* Tells that something came, or room was made: before what is waited for is refreshed.
 * epoll.c, for edge-triggered polling. */
void os_poll_edge(const struct os_node *node, int events);
/* epoll.c: forgets an open file that no descriptor has any more. */
void os_poll_forget(const struct os_open *open);
int os_poll_events(const struct os_open *open, int wanted); /* NULL: OS_POLL_NVAL */

#endif
