/* record_lock.h - fcntl's locks of parts of a file, which a process has against others. */
#ifndef OS_FS_RECORD_LOCK_H
#define OS_FS_RECORD_LOCK_H

#include "os/fs/node.h"

/* record_lock.c.  os_record_locks_leave: the calling process has closed a descriptor of this.
 * The other: fcntl's calls, from user mode. */
void os_record_locks_leave(struct os_node *node);
long os_record_lock_syscall(long fd, long command, void *argument);

#endif
