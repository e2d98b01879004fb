/* happens.h - which accesses happen before which, where memory orders are weaker than seq_cst
 * (C11 5.1.2.4; C++20 [intro.races]).
 *
 * As long as every atomic access orders, two accesses race exactly if they can come one right
 * after the other, and race.h need only remember what each thread has done since its last
 * visible action.  Programs with weaker orders have races whose sides never meet: a flag that
 * is stored and loaded relaxed keeps the accesses apart and orders nothing.  For these programs
 * an access is remembered until every thread knows of it.
 *
 * The accesses, and who knows of each, are one object of the heap, a part of the state.  A
 * holder of knowledge is a thread (what happened before its next action, what an acquire fence
 * would add, what its last release fence has fixed), the present value of an atomic place (what
 * whoever acquires it will know), or the kernel.  An access is known if all that is in its
 * thread's order before the release of which the holder has it is known.  Each kernel call that
 * is a visible action acquires and releases the kernel's knowledge as a whole: so two calls
 * about different locks count as ordered.  That is more than POSIX says, and never less, so
 * that no race is reported which is none; one between whose sides there are such calls of both
 * threads may be missed.
 *
 * FastTrack (Flanagan and Freund, PLDI 2009) keeps clocks of threads where this keeps sets of
 * accesses; clocks count, so no state would come again.  Belongs to one machine. */
#ifndef VM_HAPPENS_H
#define VM_HAPPENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "race.h"

struct vm_happens;
struct vm_insn;

struct vm_happens *vm_happens_new(bool fences);
void vm_happens_free(struct vm_happens *happens);

/* These do what those of race.h are said to do, which call them. */
void vm_happens_begin(struct vm *vm);
void vm_happens_end(struct vm *vm);
const struct vm_entry *vm_happens_conflict(const struct vm *vm, uint64_t p, uint64_t size,
                                           bool write);
void vm_happens_add(struct vm *vm, uint64_t p, uint64_t size, bool write);
bool vm_happens_is_open(const struct vm *vm);
/* Forget what the present transition has added. */
void vm_happens_reset(struct vm_happens *happens);
/* A copy, for a mark; and back to it. */
struct vm_happens *vm_happens_copy(const struct vm_happens *happens);
void vm_happens_restore(struct vm_happens *happens, const struct vm_happens *copy);

/* The running thread's atomic access to size bytes at p, or its fence, has been executed. */
void vm_happens_atomic(struct vm *vm, const struct vm_insn *i, uint64_t p, uint64_t size,
                       bool wrote);
void vm_happens_fence(struct vm *vm, const struct vm_insn *i);
/* A visible action of the kernel. */
void vm_happens_call(struct vm *vm);
/* The running thread begins, or goes on within the kernel. */
void vm_happens_arrive(struct vm *vm);
/* The object at p, which has been the running thread's own, can now be reached by others: all
 * of it counts as written by this thread. */
void vm_happens_share(struct vm *vm, uint64_t p, uint32_t size);

#endif
