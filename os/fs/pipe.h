/* pipe.h - pipes and events (eventfd), and opening pipes that have names.
 *
 * In the kernel. */
#ifndef OS_FS_PIPE_H
#define OS_FS_PIPE_H

#include "os/fs/open.h"

/* pipe.c: moves bytes from or to a buffer of the kernel's; may wait, or be
 * interrupted. */
void os_pipe_refresh(struct os_node *node);
long os_pipe_read(struct os_open *open, unsigned char *buffer, size_t size);
long os_pipe_write(struct os_open *open, const unsigned char *buffer, size_t size);

/* fifo.c: opens a pipe that has a name, where it may wait for the other side, or be
 * interrupted; and an open file of one goes. */
long os_fifo_open(struct os_node *node, int flags, long close_on_exec);
void os_fifo_leave(struct os_open *open);

/* In the kernel: the calling thread will not go back to its wait for this word, so if that was
 * for the other side of a pipe, it opens it no more. */
void os_fifo_abandon(const int *word);

#endif
