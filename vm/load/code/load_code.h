/* load_code.h - what the loader knows of each instruction: which registers it
 * reads and defines, and where it goes on. */
#ifndef VM_LOAD_CODE_H
#define VM_LOAD_CODE_H

#include "vm/load/lowering.h"

struct code_operand {
    uint32_t *reg;
    uint32_t n;
    bool def;
};

enum { CODE_MAX_OPERANDS = 4 };

/* Puts the registers that stand in the instruction's own fields into o and returns how many. */
unsigned code_operands(const struct lowering *w, struct vm_insn *i, struct code_operand *o);
/* Returns the first of the registers that are packed in k and read; UINT32_MAX if there is
 * none. */
uint32_t code_packed(const struct vm_insn *i);
uint32_t code_packed_regs(const struct vm_insn *i); /* it and those after it */
void code_repack(struct vm_insn *i, uint32_t reg);
/* Returns a call's arguments, which it reads. */
struct vm_arg *code_args(const struct lowering *w, const struct vm_insn *i, uint32_t *n);
bool code_ends_block(const struct lowering *w, const struct vm_insn *i);
/* Returns how many instructions may come after the one at `at` of n; *list (`two`, or
 * malloc'ed) has their places. */
unsigned code_successors(const struct lowering *w, const struct vm_insn *i, uint32_t at,
                         uint32_t n, uint32_t **list, uint32_t *two);

#endif
