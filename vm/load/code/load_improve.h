/* load_improve.h - what is done with the bytecode of a function once it is whole.
 *
 * Changes w->code and what goes with it; load_registers comes after what is done with virtual
 * registers, and load_pairs last. */
#ifndef VM_LOAD_IMPROVE_H
#define VM_LOAD_IMPROVE_H

#include "vm/load/lowering.h"

/* load_peep.c: small changes, and moves that are not needed */
void load_peephole(struct lowering *w);
void load_merge_moves(struct lowering *w);

/* load_regs.c: liveness and registers */
void load_registers(struct lowering *w);

/* load_pair.c: instructions that are done at once */
void load_pairs(struct lowering *w);

#endif
