/* call.h - frames, calls, faults, and the local variables of frames. */
#ifndef VM_CALL_H
#define VM_CALL_H

#include "vm/machine.h"

/* call.c: returns the limit that the guest's memory would exceed with so many bytes more, or 0;
 * 0 also in the handler of faults. */
size_t vm_limit_met(const struct vm *vm, uint64_t more);
uint64_t vm_frame_make(struct vm *vm, uint32_t function, uint64_t parent);
/* The function and the instruction of a frame, by the pc that the frame has in memory. */
const struct vm_function *vm_frame_function(const struct vm *vm, uint64_t frame,
                                            const struct vm_insn **insn);
enum vm_step vm_call(struct vm *vm, const struct vm_insn *i, uint32_t function,
                     struct vm_obj *caller);
enum vm_step vm_call_indirect(struct vm *vm, const struct vm_insn *i, struct vm_obj *frame);
enum vm_step vm_return(struct vm *vm, const struct vm_insn *i, struct vm_obj *frame);
/* Notes in a thread's record, at `save` (VM_REG_SAVE), in which frame it goes on; save may be
 * 0. */
void vm_save_frame(struct vm *vm, uint64_t save, uint64_t frame);
void vm_drop_stack(struct vm *vm, uint64_t until);
uint64_t vm_user_site(const struct vm *vm);
__attribute__((cold, format(printf, 3, 4))) enum vm_step
vm_fault(struct vm *vm, enum vm_fault_kind kind, const char *format, ...);

/* refused.c: the running function is declared only. */
__attribute__((cold)) enum vm_step vm_unresolved(struct vm *vm, uint32_t function);

/* local.c: the allocas of a frame.  vm_alloca makes one more for the running frame. */
uint64_t vm_alloca(struct vm *vm, uint64_t size);
enum vm_step vm_make_alloca(struct vm *vm, const struct vm_insn *i, struct vm_obj *frame);
enum vm_step vm_end_alloca(struct vm *vm, const struct vm_insn *i, struct vm_obj *frame);
enum vm_step vm_restore_stack(struct vm *vm, const struct vm_insn *i, struct vm_obj *frame);
/* Local variables are about to end: the first function is given the heap object to begin with
 * and the one that stays, the second the frame to begin with and the one that stays, and the
 * third means all of the running thread with its thread-local variables.  NEXT; or a fault, if
 * an access of another thread is not ordered with the end; or the running thread has to wait
 * for others first (late.h). */
enum vm_step vm_end_some_locals(struct vm *vm, uint32_t first, uint32_t keep);
enum vm_step vm_end_locals(struct vm *vm, uint64_t frame, uint64_t until);
enum vm_step vm_end_thread(struct vm *vm);

#endif
