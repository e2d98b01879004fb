/* order.h - which accesses happen before which, and which stores a load may read, where memory
 * orders are weaker than seq_cst (C11 5.1.2.4; C++20 [intro.races], [atomics.order]).
 *
 * As long as every atomic access is seq_cst, two accesses race exactly if they can come one
 * right after the other, and race.h need only remember what each thread has done since its last
 * visible action.  Programs with weaker orders have races whose sides never meet: a flag that
 * is stored and loaded relaxed keeps the accesses apart and orders nothing.  For these programs
 * an access is remembered until every thread knows of it, and (docs/MEMORY_MODELS.md) so is a
 * store of an atomic place that a thread may still read although there are later ones.
 *
 * All of this is one object of the heap, a part of the state.  During a transition it is a
 * matrix of bits: who knows of what (relation.h).  FastTrack (Flanagan and Freund, PLDI 2009)
 * keeps clocks of threads where this keeps sets of accesses, and the view machines of Kang,
 * Hur, Lahav, Vafeiadis and Dreyer (POPL 2017) keep timestamps where this keeps sets of stores;
 * clocks count, so no state would come again.  Belongs to one machine.
 *
 * A kernel call is ordered with others as action.def says: those about a lock with others about
 * the same lock.  System calls that are visible actions, and the beginnings and ends of
 * threads, are ordered with each other, whatever they are about: that is more than POSIX says,
 * and never less, so that no race is reported which is none; one between whose sides there are
 * such calls of both threads may be missed. */
#ifndef VM_ORDER_H
#define VM_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/exec/race.h"
#include "vm/exec/register.h"
#include "vm/machine.h"

struct vm_order;

/* Makes an order.  values: loads may read stores that are not the last one; else places have
 * one value, and only races are judged by the orders.  stays: nothing is written to the heap;
 * what is known is there from one transition to the next, and belongs to marks. */
struct vm_order *vm_order_new(bool fences, bool values, bool stays);
void vm_order_free(struct vm_order *order);

/* Implement the functions of race.h with these names, which call them. */
void vm_order_begin(struct vm *vm);
void vm_order_end(struct vm *vm);
const struct vm_entry *vm_order_conflict(struct vm *vm, uint64_t p, uint64_t size, bool write);
/* Returns an atomic access with which a plain access of the bytes races: a store that the
 * running thread has not seen; or, with options.mixed_accesses, one that did not happen before.
 * Without that option, notes which bytes are accessed plainly (mixed.h). */
const struct vm_entry *vm_order_unordered(struct vm *vm, uint64_t p, uint64_t size, bool write);
/* Returns what stands for atomic accesses of the object at p, size bytes, which ends now, if
 * they did not happen before; or NULL.  Without options.atomic_uses, notes the end (mixed.h).
 */
const struct vm_entry *vm_order_use(struct vm *vm, uint64_t p, uint64_t size);
/* Notes an atomic access (mixed.h).  Remembers it with options.mixed_accesses, and that the
 * thread has used the object with options.atomic_uses. */
void vm_order_note_atomic(struct vm *vm, uint64_t p, uint64_t size, bool write);
/* Notes a plain access. */
void vm_order_note(struct vm *vm, uint64_t p, uint64_t size, bool write);
bool vm_order_is_open(const struct vm *vm, enum vm_action action, uint64_t p);
/* Has the transition added so much that it had better end, where things are forgotten?  Else
 * each access takes longer than the one before. */
bool vm_order_is_large(const struct vm *vm);
/* May what could be forgotten be there for some transitions more?  So it is in a search by
 * executions, unless the program is known to mix accesses of the same bytes. */
bool vm_order_lingers(const struct vm *vm);
/* Forgets what the present transition has added. */
void vm_order_reset(struct vm_order *order);
/* vm_order_copy: returns a copy, for a mark, which is freed like the original.
 * vm_order_restore: goes back to it. */
struct vm_order *vm_order_copy(const struct vm_order *order);
void vm_order_restore(struct vm_order *order, const struct vm_order *copy);
/* Returns the bytes that a copy has. */
size_t vm_order_size(const struct vm_order *order);

/* Notes a visible action of the kernel. */
void vm_order_call(struct vm *vm, enum vm_action action, uint64_t p);
void vm_order_pass(struct vm *vm, uint64_t p, bool gives);
/* Notes that the kernel has read the last value of these bytes for the running thread, which
 * reads no earlier one any more. */
void vm_order_see(struct vm *vm, uint64_t p, uint32_t size);
/* Notes that the running thread begins, with what its creator has passed on, or goes on within
 * the kernel, with what all calls have. */
void vm_order_arrive(struct vm *vm, bool begins);
/* Does an action order with others whatever they are about?  learns: the thread then knows what
 * all have passed on so; else it only passes on what it knows itself. */
bool vm_order_is_general(enum vm_action action, bool *learns);
/* Notes that the object at p, which has been the running thread's own, can now be reached by
 * others: all of it counts as written now by this thread (VM_AS_A_WHOLE).  Who knows that,
 * knows of all that the thread has done to it.  Who does not may still know of all that it
 * accesses, by other ways, or only of what was done by atomic accesses: then VM_ASSUMES_WHOLE
 * is broken, and a search with all objects shared says what is so. */
void vm_order_share(struct vm *vm, uint64_t p, uint32_t size);

/* ---- atomic accesses, and fences ------------------------------------------------- */

/* An atomic access of the running thread, in the model's words. */
struct vm_event_of {
    uint64_t p; /* as the program has it */
    uint32_t size;
    bool reads, writes;
    bool acquires, releases, seq_cst;
};

/* One of the stores of a place. */
struct vm_option {
    uint32_t rank; /* in modification order; 0 is the oldest that anybody may still read */
    bool last;
    bool open; /* a store may come right after it */
    struct vm_value value[2];
};

/* Do loads read others than the last store? */
bool vm_order_has_values(const struct vm *vm);
/* Lists the stores of a place of which the running thread has not seen a later one, the last
 * one first; at least one.  Valid until the next call. */
size_t vm_order_options(struct vm *vm, uint64_t p, uint32_t size,
                        const struct vm_option **options);
/* May the access read that store, or come right after it, as far as seq_cst goes? */
bool vm_order_allows(struct vm *vm, const struct vm_event_of *event,
                     const struct vm_option *option);
/* Reads memory: up to 8 bytes are one value, more are two. */
void vm_order_read(const struct vm *vm, uint64_t p, uint32_t size, struct vm_value value[2]);
/* Were the stores of the place executed in modification order, as far as they are still there?
 * With options.names. */
bool vm_order_is_in_turn(struct vm *vm, uint64_t p, uint32_t size);
/* Does the access overlap another atomic access of other bytes?  The models do not know such
 * accesses. */
bool vm_order_is_mixed(const struct vm *vm, uint64_t p, uint32_t size);
/* Are there older stores to exactly these bytes that somebody may still read? */
bool vm_order_has_stores(struct vm *vm, uint64_t p, uint32_t size);
/* Notes that the access has been executed.  old: the value in memory before, of the last store.
 * The value after it is written back if another store comes later. */
void vm_order_atomic(struct vm *vm, const struct vm_event_of *event,
                     const struct vm_option *option, const struct vm_value old[2],
                     const struct vm_value written[2]);
/* Notes an access to an atomic object that no instruction accesses: its loads read the last
 * store. A seq_cst one is ordered with others as if there were seq_cst fences around it. */
void vm_order_large(struct vm *vm, const struct vm_event_of *event);
void vm_order_fence(struct vm *vm, bool acquires, bool releases, bool seq_cst);

#endif
