/* transition.h - hypercalls: choices, the choice of a thread, and the end of a transition. */
#ifndef VM_TRANSITION_H
#define VM_TRANSITION_H

#include "vm/machine.h"

enum vm_step vm_hypercall(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum vm_step vm_setjmp(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
void vm_end_transition(struct vm *vm, unsigned flags);
/* Counts a choice of n alternatives within the transition. */
void vm_count_branches(struct vm_scalars *s, uint32_t n);
/* Gives up the search by executions, since the access log does not tell with what the
 * transition commutes. */
void vm_make_opaque(struct vm *vm);

/* Finds the threads that are ready, among those that the guest passes to the hypercall. */
void vm_find_candidates(struct vm *vm, const struct vm_obj *f, const struct vm_insn *i);
/* Finds those of a list of n threads at this place; the result is vm->choice. */
void vm_list_candidates(struct vm *vm, uint64_t list, uint32_t n);
/* Has the word that a thread waits for the value that ends the wait, or is it gone? */
bool vm_word_is_ready(const struct vm *vm, uint64_t word, uint32_t ready);
/* Resumes a thread, as the scheduler says. */
enum vm_step vm_run_thread(struct vm *vm, uint64_t thread);
/* Do choices have their candidates, while nothing is hashed between transitions? */
static inline bool vm_tells_threads(const struct vm *vm)
{
    return vm->options.names || vm->options.tells_threads;
}

#endif
