/* may_write.h - which of the program's variables threads may still write.
 *
 * An atomic load of what no other thread can write any more commutes with all that others
 * will do, so that a thread need not stop at it (--reduction=read-only).  Who can write is
 * read off the code (as Holzmann & Peled, "An improvement in formal verification", 1994, and
 * Godefroid's persistent sets do, by what processes can still do).
 *
 * Tracked are global variables of the user's that are loaded atomically somewhere, and whose
 * address never is anywhere but in registers: it is used for accesses, and given to functions
 * that use it so.  The loader says of each instruction which of them it, or what can come
 * after it in its function, may write; functions that it calls are a part of that, and so are
 * functions that it names, since a thread may be made of them; a call through a pointer may
 * lead to all functions of the type whose address is taken.  So a thread can write what
 * follows where its frames go on, and what the scheduler can call may write counts as another
 * thread's.  All this may be too much, but never too little.  Nothing is tracked if the program
 * forks; nor where threads can be interrupted, since a stop less is a place less where that
 * can happen; nor where a constant is computed from addresses. */
#ifndef VM_MAY_WRITE_H
#define VM_MAY_WRITE_H

#include <stdbool.h>
#include <stdint.h>

struct vm;

enum {
    VM_MAX_TRACKED = 64,
    VM_MAX_PASSED = 64 /* loads in a transition at which it did not stop */
};

/* vm_may_write_start: a transition begins.  vm_may_write_list: the guest lists its n threads.
 * vm_may_write_choose: one of them is chosen. */
void vm_may_write_start(struct vm *vm);
void vm_may_write_list(struct vm *vm, const uint64_t *threads, uint64_t n);
void vm_may_write_choose(struct vm *vm, uint64_t thread);
/* Need the running thread not stop at the load of an object, at which it otherwise would? */
bool vm_may_write_passes(struct vm *vm, uint64_t p);
/* Returns the label of a tracked variable, by its number, for vm_read_label: 2 if another
 * thread than the chosen one can write it, 1 if not. */
uint64_t vm_may_write_label(const struct vm *vm, uint32_t number);

#endif
