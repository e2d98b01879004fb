/* atomic.h - atomic and volatile accesses, and the places where a thread stops so that others
 * can run. */
#ifndef VM_ATOMIC_H
#define VM_ATOMIC_H

#include "vm/exec/mode.h"
#include "vm/machine.h"

enum {
    VM_MAX_LOOPS = 1 << 16,        /* back-edges without a visible action */
    VM_MAX_KERNEL_LOOPS = 1 << 26, /* back-edges more, in the kernel and in atomic sections */
    VM_MAX_BRANCHES = 64,          /* alternatives of a transition's choices, multiplied */
};

enum vm_step vm_atomic(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
/* Executes a seq_cst fence that stands before an access (VM_FENCED). */
void vm_fence_before(struct vm *vm);
/* Does a visible action at p: stops the machine if it is not the running thread's turn. */
enum vm_step vm_visible(struct vm *vm, uint64_t p, uint64_t size, bool write);
/* Checks an access for races at which the machine does not stop, since it is in an atomic
 * section or no other thread is left. */
enum vm_step vm_race_masked(struct vm *vm, uint64_t p, uint64_t size, bool write);
/* Returns NEXT, or the fault of a plain access, or a volatile one, that races; what: how the
 * report calls it.  The other one is for threads that cannot be interrupted. */
enum vm_step vm_race_plain(struct vm *vm, uint64_t p, uint64_t size, bool write,
                           const char *what);
enum vm_step vm_race_masked_plain(struct vm *vm, uint64_t p, uint64_t size, bool write,
                                  const char *what);
enum vm_step vm_interrupt(struct vm *vm);

/* Does a pointer escape that is stored in the object, so that other threads can reach its
 * target?  (The kernel itself shares what it is given.) */
static inline bool vm_lets_escape(const struct vm *vm, const struct vm_obj *o)
{
    return o->flags & VM_SHARED || (o->flags & VM_LOGGED && !vm_in_kernel(vm));
}

/* Is the transition to end at the next back-edge or call in user mode?  It is if its choices
 * are a large tree, or if the kernel has gone round VM_MAX_LOOPS times. */
static inline bool vm_has_many_branches(const struct vm_scalars *s)
{
    return s->branches >= VM_MAX_BRANCHES - 1;
}
static inline bool vm_is_overdue(const struct vm_scalars *s)
{
    return vm_has_many_branches(s) || s->kernel_loops;
}
/* Called after VM_MAX_LOOPS back-edges, or after one if the transition is overdue: stops, so
 * that an endless loop comes back to a state that is known. */
enum vm_step vm_loop(struct vm *vm);

#endif
