/* load_may_write.h - finds what may_write.h needs, when all functions are lowered. */
#ifndef VM_LOAD_MAY_WRITE_H
#define VM_LOAD_MAY_WRITE_H

#include "vm/load/load.h"

/* Sets tracked, and what functions and calls say of them, in the program. */
void load_may_write(struct loader *l);

#endif
