/* os_error.h - telling the kernel that the program is wrong. */
#ifndef OS_ERROR_H
#define OS_ERROR_H

#include "vm/hypercall.h"

/* Is declared in os/error.h, too; here, so that libc needs no more of os/ than its calls. */
_Noreturn void __os_error(int fault, const char *message);
void os_async(void);
void os_redirect(void);
void os_see_ends(void);

#endif
