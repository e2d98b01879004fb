/* rmw.h - results of atomic read-modify-writes. */
#ifndef VM_RMW_H
#define VM_RMW_H

#include "vm/exec/register.h"
#include "vm/program.h"

/* Returns the value after op, of n bytes, 8 at most. */
struct vm_value vm_rmw_value(enum vm_rmw op, uint32_t n, struct vm_value old,
                             struct vm_value arg);
/* Returns the same of 16 bytes. */
unsigned __int128 vm_rmw_pair(enum vm_rmw op, unsigned __int128 a, unsigned __int128 b);

#endif
