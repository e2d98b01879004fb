/* capture.h - the host's files, as the host of the machine gave them (--stdin, --capture).
 *
 * In the kernel.  They belong to the machine and do not change. */
#ifndef OS_FS_CAPTURE_H
#define OS_FS_CAPTURE_H

#include "os/state.h"

void os_capture(void);
const struct vm_file *os_input(void); /* standard input, or NULL */

#endif
