/* rmw.h - what atomic read-modify-writes compute. */
#ifndef VM_RMW_H
#define VM_RMW_H

#include "vm/exec/register.h"
#include "vm/program.h"

/* What is there after op, of n bytes, 8 at most. */
struct vm_value vm_rmw_value(enum vm_rmw op, uint32_t n, struct vm_value old,
                             struct vm_value arg);
/* The same of 16 bytes. */
unsigned __int128 vm_rmw_pair(enum vm_rmw op, unsigned __int128 a, unsigned __int128 b);

#endif
