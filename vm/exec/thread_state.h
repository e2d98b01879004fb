/* thread_state.h - the own state of a thread.
 *
 * What a thread does next follows from its own state and from what it reads of what others can
 * reach: shared objects, the kernel's and the libraries'.  Its own state is its stack without
 * the registers that are not used any more, its thread-local variables, and all objects to
 * which these lead and no other thread can get. */
#ifndef VM_THREAD_STATE_H
#define VM_THREAD_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct vm;

/* Hashes the own state of a thread, by its record, that is not running; pointers to what is not
 * its own are named.  False if it is not known: if it is large, or undefined bit by bit. */
bool vm_thread_state(struct vm *vm, uint64_t thread, uint64_t state[2]);

#endif
