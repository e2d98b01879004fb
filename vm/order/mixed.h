/* mixed.h - bytes that are accessed both atomically and plainly, and objects that end after
 * atomic accesses.
 *
 * An atomic access and a plain one race if neither happens before the other, and they are not
 * both reads (C++20 [intro.races]).  Where the plain one comes first, it is remembered anyway.
 * To remember each atomic access as well, until all threads know of it, would take many states;
 * and few programs mix them: those that use builtins on plain variables.  So a search takes it
 * that none does (VM_ASSUMES_APART), and what is accessed is noted of all paths together, by
 * hashes of places: two that share one cost some time.
 *
 * In the same way an atomic access has to happen before the end of the object (C++20
 * [basic.life], [intro.races]).  A search takes it that no object that threads have accessed
 * atomically ends while there are several, or one has ended that nobody has joined
 * (VM_ASSUMES_ENDS). */
#ifndef VM_MIXED_H
#define VM_MIXED_H

#include "vm/machine.h"

enum vm_manner {
    VM_PLAIN_READ,
    VM_PLAIN_WRITE,
    VM_ATOMIC_READ,
    VM_ATOMIC_WRITE,
    VM_OBJECT_USE, /* an atomic access of any bytes of an object */
    VM_OBJECT_END,
};

/* Notes an access of the program, unless no thread but the running one can have done anything
 * that did not happen before; and drops the assumption if
 * the bytes were accessed in the other manner.  Does nothing with options.mixed_accesses.
 * Machines of one program may do so at once. */
void vm_mixed_note(struct vm *vm, uint64_t p, uint64_t size, enum vm_manner manner);
/* Note an atomic access of the object at p, and its end, in the same way: do they meet,
 * VM_ASSUMES_ENDS is dropped.  Do nothing with options.atomic_uses. */
void vm_mixed_note_use(struct vm *vm, uint64_t p);
void vm_mixed_note_end(struct vm *vm, uint64_t p);
/* Drops both assumptions if the running thread is gone, at the end of a transition: nobody has
 * joined it, so who is alone then may race with what it did. */
void vm_mixed_end(struct vm *vm);

#endif
