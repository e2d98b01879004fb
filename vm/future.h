/* future.h - what threads can still do to some of the program's variables.
 *
 * An atomic load of what no other thread can write any more commutes with all that others
 * will do, so that a thread need not stop at it (--reduction=unwritten).  Who can write is
 * read off the code (as Holzmann & Peled, "An improvement in formal verification", 1994, and
 * Godefroid's persistent sets do, by what processes can still do).
 *
 * Watched are global variables of the user's that are loaded atomically somewhere, and whose
 * address never is anywhere but in registers: it is used for accesses, and given to functions
 * that use it so.  The loader says of each instruction which of them it may read or write, or
 * what can come after it in its function; functions that it calls are a part of that, and so
 * are functions that it names, since a thread may be made of them; a call through a pointer
 * may lead to all functions of the type whose address is taken.  So a thread can do what
 * follows where its frames go on, and whatever the scheduler can call (handlers of signals).
 * All this may be too much, but never too little. */
#ifndef VM_FUTURE_H
#define VM_FUTURE_H

#include <stdbool.h>
#include <stdint.h>

struct vm;

enum {
    VM_WATCHED = 64,
    VM_MAX_PASSED = 64 /* loads in a transition at which it did not stop */
};

/* A bit for each variable. */
struct vm_future {
    uint64_t reads, writes;
};

/* The guest lists its threads, n of them from there on: what each can do is found. */
void vm_future_list(struct vm *vm, const uint64_t *threads, uint64_t n);
/* The one at that place of the list goes on: what it may load and no other can write. */
uint64_t vm_future_choose(const struct vm *vm, uint32_t place);
/* The running thread, which would stop at the load of an object, need not. */
bool vm_future_passes(struct vm *vm, uint64_t p);

#endif
