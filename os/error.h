/* error.h - errors of the program, and putting messages together.  An error ends the run:
 * nothing that is owned has to be freed before.
 *
 * An error ends the run: nothing that is owned has to be freed before. */
#ifndef OS_ERROR_H
#define OS_ERROR_H

#include "os/state.h"

/* Ends the run with an error of this kind (enum vm_fault_kind); the message is
 * one line.  From user mode or from the kernel. */
_Noreturn void __os_error(int fault, const char *message);

void os_fault(int kind, struct vm_frame *at);

/* Appends to a string that ends at `end`, and returns the new end.  The caller knows that there
 * is room. */
char *os_put(char *end, const char *text);
char *os_put_number(char *end, unsigned long number);

#endif
