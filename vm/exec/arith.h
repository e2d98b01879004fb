/* arith.h - instructions that compute, where the interpreter does not do them itself: arith.c
 * has those whose operands are pointers or not wholly defined, intrin.c the intrinsics, apint.c
 * and recast.c integers of more than 64 bits and bit casts, longdouble.c x86_fp80 and fp128. */
#ifndef VM_ARITH_H
#define VM_ARITH_H

#include "vm/exec/register.h"
#include "vm/machine.h"

/* Computes a op b of w bits, without flags: VM_OP_ADD, SUB, MUL, AND, OR or XOR. */
struct vm_value vm_compute(unsigned op, unsigned w, struct vm_value a, struct vm_value b);
enum vm_step vm_slow_arith(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
/* Decides where a fused compare and branch goes. */
enum vm_step vm_slow_branch(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                            uint32_t *target);
/* Computes R[a] + R[b] * scale + offset, as INDEX does; false if it is undefined. */
bool vm_index_address(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                      uint64_t *p, uint8_t *tags);
enum vm_step vm_slow_intrinsic(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum vm_step vm_apint(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum vm_step vm_recast(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum vm_step vm_longdouble(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);

#endif
