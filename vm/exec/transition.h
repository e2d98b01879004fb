/* transition.h - hypercalls: choices, the choice of a thread, and the end of a transition. */
#ifndef VM_TRANSITION_H
#define VM_TRANSITION_H

#include "vm/machine.h"

enum vm_step vm_hypercall(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum vm_step vm_setjmp(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
void vm_end_transition(struct vm *vm, unsigned flags);
/* A choice of n alternatives is made within the transition. */
void vm_count_branches(struct vm_scalars *s, uint32_t n);
/* The search by executions gives up, since the access log does not tell with what the
 * transition commutes. */
void vm_make_opaque(struct vm *vm);

/* Finds the threads that are ready, among those that the guest passes to the hypercall. */
void vm_find_candidates(struct vm *vm, const struct vm_obj *f, const struct vm_insn *i);
/* Finds those of a list of n threads at this place; the result is vm->choice. */
void vm_list_candidates(struct vm *vm, uint64_t list, uint32_t n);
/* The word that a thread waits for has the value that ends the wait, or is gone. */
bool vm_word_is_ready(const struct vm *vm, uint64_t word, uint32_t ready);
/* The scheduler resumes a thread. */
enum vm_step vm_run_thread(struct vm *vm, uint64_t thread);
/* Choices have their candidates, and nothing is hashed between transitions. */
static inline bool vm_tells_threads(const struct vm *vm)
{
    return vm->options.names || vm->options.tells_threads;
}

#endif
