/* race.h - open footprints: what each thread has read or written plainly in
 * shared objects since its last visible action (docs/MACHINE.md, Races).
 *
 * Between transitions the footprints of all threads are one object of the heap:
 * entries of four words, sorted by thread (its number), kind, and which object it accessed
 * first.  During a transition the running thread's are a list here, the others' a copy of the
 * entries. */
#ifndef VM_RACE_H
#define VM_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/vm.h"

struct vm;
struct vm_order;

/* VM_ATOMICALLY is added for an atomic access, which races with plain ones only; VM_AS_A_WHOLE
 * for what stands for all that was done to an object while it was private (order.h); VM_USES,
 * with VM_ATOMICALLY, for what stands for all atomic accesses of an object by a thread, which
 * race with the end of the object. */
enum { VM_READS = 1, VM_WRITES = 2, VM_ATOMICALLY = 4, VM_AS_A_WHOLE = 8, VM_USES = 16 };

struct vm_range {
    uint64_t object; /* pointer to its start */
    uint32_t start, end;
    uint32_t kind; /* VM_READS or VM_WRITES, perhaps with some of the others */
    uint32_t rank; /* of the object, while they are sorted */
};

struct vm_entry {
    uint64_t owner;
    struct vm_range range;
};

/* Words of an entry in the heap: the owner, the object, its range, the kind. */
enum { VM_ENTRY_WORDS = 4 };

struct vm_race {
    struct vm_range *mine;
    size_t nmine, mine_capacity, normal; /* the first `normal` are normalised */
    struct vm_entry *others;
    size_t nothers, others_capacity;
    bool changed; /* the object no longer says what the lists say */
    /* Not NULL, where atomic accesses are weaker than seq_cst: then this has it all. */
    struct vm_order *order;
};

struct vm_race_mark {
    struct vm_range *mine;
    size_t nmine;
    bool changed;
    struct vm_order *order;
};

void vm_race_fini(struct vm_race *race);
/* Forgets everything; the object is that of another state now. */
void vm_race_reset(struct vm_race *race);
/* Reads the footprints from the heap, when a thread (VM_REG_USER) resumes. */
void vm_race_begin(struct vm *vm);
/* Writes them back, when the transition ends. */
void vm_race_end(struct vm *vm);
/* Drops them, when the program has ended: nobody can race any more. */
void vm_race_over(struct vm *vm);
/* Clears the running thread's footprint, when it does something that orders it with others: an
 * atomic access, or a visible action of the kernel. */
void vm_race_clear(struct vm *vm);
void vm_race_call(struct vm *vm, enum vm_action action, uint64_t p);
/* Passes on what the thread has done, or takes over what others have passed on. */
void vm_race_pass(struct vm *vm, uint64_t p, bool gives);
/* Does an operation on VM_REG_ORDERS, by which the guest says what orders it with others; NEXT,
 * or the fault. */
int vm_race_told(struct vm *vm, uint64_t value, uint64_t op);
/* Notes that the running thread begins, or goes on within the kernel (vm_order_arrive). */
void vm_race_arrive(struct vm *vm, bool begins);
/* Lists an action that is ordered with others whatever they are about, so that a search by
 * executions tries both orders of two of them (docs/REDUCTIONS.md). */
void vm_race_list(struct vm *vm, enum vm_action action);
/* Returns the entry of another thread that conflicts with an access, or NULL. */
const struct vm_entry *vm_race_conflict(struct vm *vm, uint64_t p, uint64_t size, bool write);
/* The same for the end of an object, before which atomic accesses of it have to happen, too. */
const struct vm_entry *vm_race_end_conflict(struct vm *vm, uint64_t p, uint64_t size);
/* Asks only whether more has to be known of what was done to an object before others could
 * reach it (VM_ASSUMES_WHOLE): for programs whose races are not reported. */
void vm_race_ask_whole(struct vm *vm, uint64_t p, uint64_t size, bool write);
/* Returns the entry of an atomic access that a plain one races with, which did not happen
 * before it, or NULL. */
const struct vm_entry *vm_race_atomic(struct vm *vm, uint64_t p, uint64_t size, bool write);
/* What an entry's access did, in words. */
const char *vm_race_text(const struct vm_range *range);
/* Returns the fault of a conflict: what the running thread was about to do with size bytes at
 * p. */
int vm_race_fault(struct vm *vm, const struct vm_entry *e, uint64_t p, uint64_t size,
                  const char *what);
/* Returns a fault of another kind: the end of the object is the conflict. */
int vm_race_fault_as(struct vm *vm, enum vm_fault_kind kind, const struct vm_entry *e,
                     uint64_t p, uint64_t size, const char *what);
/* Notes that the running thread has accessed size bytes at p. */
void vm_race_add(struct vm *vm, uint64_t p, uint64_t size, bool write);
/* Has the running thread accessed something that it would not have, if it did this action of
 * the kernel now? */
bool vm_race_is_open(const struct vm *vm, enum vm_action action, uint64_t p);

void vm_race_mark(const struct vm *vm, struct vm_race_mark *mark);
void vm_race_rollback(struct vm *vm, const struct vm_race_mark *mark);
void vm_race_mark_fini(struct vm_race_mark *mark);

#endif
