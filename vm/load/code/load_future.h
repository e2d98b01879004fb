/* load_future.h - finds what future.h needs, when all functions are lowered. */
#ifndef VM_LOAD_FUTURE_H
#define VM_LOAD_FUTURE_H

#include "vm/load/load.h"

/* Sets watched, and what functions and calls say of them, in the program. */
void load_future(struct loader *l);

#endif
