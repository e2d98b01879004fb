/* buffer.h - store buffers: what threads have stored and memory does not have yet (x86-TSO:
 * Owens, Sarkar and Sewell, "A better x86 memory model: x86-TSO", TPHOLs 2009).
 *
 * A store of a shared object waits in its thread's buffer, first in, first out:
 *
 *     thread 1  --store-->  [ x = 1 | y = 2 ]  --drain-->  memory  <--load--  thread 2
 *        ^                         |
 *        +------ its own load -----+
 *
 * Its thread's loads find it there.  That the oldest store of a buffer reaches memory is a
 * transition of its own (drain.c), which the checker chooses; whatever the processor does with
 * its bus locked, mfence, and all actions of the kernel come after all stores of the buffer.
 *
 * A buffer is an object of the state: a frame at a place that the thread's number gives, so
 * that it has a stable id and goes with its thread where threads are symmetric.  There is none
 * while it is empty.  Its words: of each store, the oldest first, the place; the size; the site
 * in the program; and the bytes, with their shadows.
 *
 * Objects that only one thread can reach have no stores in buffers, nor has anything while
 * there is only one thread.  Whoever makes an object shared stores its address: that waits in
 * the same buffer.  Belongs to one machine. */
#ifndef VM_BUFFER_H
#define VM_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/exec/mode.h"
#include "vm/exec/register.h"
#include "vm/machine.h"

/* The number of stores that a buffer has room for; for one more, the oldest reaches memory.
 * Processors have room for 40 to 110, which a loop that only stores would fill in as many
 * states. */
enum { VM_BUFFER_STORES = 32 };

/* A store in a buffer. */
struct vm_pending {
    uint64_t place, site;
    uint32_t size, at; /* where the bytes are in the buffer */
};

/* ---- of the running thread; vm->s.buffered says whether there is one ------------- */

/* Sets vm->s.buffered when a thread goes on.  If it is the only one, its stores reach
 * memory. */
void vm_buffer_arrive(struct vm *vm);
/* Does an atomic or volatile store of this object wait in the buffer? */
static inline bool vm_buffer_takes(const struct vm *vm, const struct vm_obj *o)
{
    return vm->buffers && o->flags & VM_SHARED && !vm_masked(vm);
}
/* Does a plain store wait, as with --races=allow, or since it comes after one that waits?  In
 * the kernel, that earlier one reaches memory first. */
bool vm_buffer_takes_plain(struct vm *vm, const struct vm_obj *o, uint64_t p, uint64_t size);
/* Stores size bytes at `at` of an object to p, by way of the buffer.  NEXT, or the fault. */
enum vm_step vm_buffer_put(struct vm *vm, uint64_t p, uint64_t size, const struct vm_obj *from,
                           uint32_t at);
/* Where a load of some bytes finds them. */
enum vm_buffered {
    VM_IN_MEMORY,
    VM_IN_BUFFER, /* the last store of any of them has all */
    VM_IN_BOTH,   /* it has only some: a load waits until memory has them */
};
enum vm_buffered vm_buffer_find(const struct vm *vm, uint64_t p, uint64_t size,
                                struct vm_pending *found);
const struct vm_obj *vm_buffer_of_running(const struct vm *vm);
/* Returns the size bytes at p as the running thread sees them, as an object of that size, which
 * the caller releases. */
struct vm_obj *vm_buffer_view(const struct vm *vm, uint64_t p, uint64_t size);
/* Lets all stores reach memory; or all up to the last one of any of these bytes. */
void vm_buffer_empty(struct vm *vm);
void vm_buffer_empty_until(struct vm *vm, uint64_t p, uint64_t size);
/* NEXT; or the thread is to stop, since its stores must reach memory now, which others can
 * notice: it has not yet stopped for what it does. */
enum vm_step vm_buffer_stop(struct vm *vm);

/* ---- of all threads -------------------------------------------------------------- */

/* At a call of the kernel, the thread's stores reach memory; those of all threads, where the
 * process ends. */
void vm_buffer_call(struct vm *vm, enum vm_action action);
/* Asks before an object goes.  NEXT; or the fault, if another thread's store would come after
 * it.  kind: the fault's; what: what the end of the object is called. */
enum vm_step vm_buffers_leave(struct vm *vm, uint64_t p, const struct vm_obj *o,
                              enum vm_fault_kind kind, const char *what);
/* Finds the last store of these bytes, by another thread, that memory does not have.  Returns
 * the record of that thread; 0 if there is none. */
uint64_t vm_buffers_hide(const struct vm *vm, uint64_t p, uint32_t size,
                         struct vm_value *value);

/* Returns the buffer of the thread with this record; NULL if it is empty. */
const struct vm_obj *vm_buffer_of(const struct vm *vm, uint64_t thread);
/* Reads the store that begins at word w of a buffer and sets w behind it; false at the end. */
bool vm_buffer_next(const struct vm_obj *buffer, uint32_t *w, struct vm_pending *store);
/* Lets the oldest store of a thread reach memory. */
void vm_buffer_drain(struct vm *vm, uint64_t thread);

/* ---- drain.c: which buffers may be drained now ----------------------------------- */

/* Are there stores in buffers?  True as well if there were some earlier in the transition. */
static inline bool vm_has_pending(const struct vm *vm)
{
    return vm->buffers && vm->heap.table[VM_ID_FRAME].n > VM_BUFFERS;
}
/* Returns a thread whose oldest store must reach memory before anything else is done, or 0. */
uint64_t vm_drain_due(const struct vm *vm);
/* vm_drains: how many threads' stores can reach memory now, as far as that makes a difference.
 * vm_drain_of: the k-th of these threads. */
size_t vm_drains(const struct vm *vm);
uint64_t vm_drain_of(const struct vm *vm, size_t k);
/* Lets the oldest store of the thread reach memory, and tells the listener. */
void vm_drain(struct vm *vm, uint64_t thread);

#endif
