/* load_insn.h - instructions, calls and intrinsics. */
#ifndef VM_LOAD_INSN_H
#define VM_LOAD_INSN_H

#include <llvm-c/Core.h>

#include "vm/load/lowering.h"

/* Refuses the instruction when it is executed; its result is undefined. */
void lower_no_result(struct lowering *w, LLVMValueRef i, LLVMTypeRef t);
void lower_instruction(struct lowering *w, LLVMValueRef i);
const char *load_opcode_name(LLVMOpcode op);
void lower_call(struct lowering *w, LLVMValueRef i);

/* load_intrin.c: lowers a call of the intrinsic with this name behind "llvm.". */
void lower_intrinsic(struct lowering *w, LLVMValueRef call, const char *name);
/* Returns the intrinsic's name in the table, or NULL. */
const char *load_intrinsic_name(const char *name);
uint32_t load_signature(struct loader *l, LLVMTypeRef type);
unsigned lower_width(struct lowering *w,
                     LLVMTypeRef type);         /* bits of a scalar, 0 if too wide */
unsigned lower_float_predicate(LLVMValueRef i); /* of a compare, or its constrained call */
void lower_float_op(struct lowering *w, LLVMValueRef i,
                    LLVMOpcode op); /* i: instruction or call */
/* half and bfloat are computed with as floats: n registers are made floats, and back. */
bool lower_is_half(LLVMTypeRef type);
bool lower_is_bfloat(LLVMTypeRef type);
uint32_t lower_from_half(struct lowering *w, LLVMTypeRef type, uint32_t reg, uint32_t n);
void lower_to_half(struct lowering *w, LLVMTypeRef type, uint32_t d, uint32_t a, unsigned from);
/* Is the function not optimised?  Then overflow is a fault where it occurs, not poison. */
bool lower_as_written(struct lowering *w);
unsigned lower_arith_flags(struct lowering *w, LLVMValueRef i, LLVMOpcode op);

uint32_t lower_begin(struct lowering *w, LLVMValueRef i,
                     uint32_t n); /* the result's registers, begun as a whole */

void lower_refuse(struct lowering *w, LLVMTypeRef t);

/* load_masked.c: false if the intrinsic is not supported. */
bool lower_masked(struct lowering *w, LLVMValueRef call, const char *name);
bool lower_fixed(struct lowering *w, LLVMValueRef call, unsigned how);

/* load_note.c: lowers a call of llvm.dbg.value; and keeps notes and scopes. */
void lower_note(struct lowering *w, LLVMValueRef call);
void load_notes_begin(struct loader *l);
void load_notes_finish(struct loader *l);
void load_notes_fini(struct loader *l);

/* load_profile.c: counts an instruction if there is a profile (i is NULL: one of the
 * library). */
void lower_count(struct lowering *w, LLVMValueRef i);
/* load_cover.c: sets marks before an instruction, where the function begins, and before
 * branches: by a condition, or by a value with n cases from the first on. */
void lower_cover(struct lowering *w, LLVMValueRef i);
void lower_cover_function(struct lowering *w);
void lower_cover_branch(struct lowering *w, LLVMValueRef i, uint32_t condition);
void lower_cover_switch(struct lowering *w, LLVMValueRef i, uint32_t value, uint32_t first,
                        uint32_t n);

#endif
