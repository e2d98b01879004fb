/* preconcurrent.h - which objects are stable as pre-concurrent ones (inchash.h): for
 * fingerprint.c.
 *
 * Where there are many objects when a second thread begins, those that are older keep ids, so
 * that states need not look at them.  For that they give up their symmetry; hence few are left
 * out, which may change places with others:
 * - what only the new thread leads to, and what was made after it: threads that begin like it
 *   have their own, or will, and are to be its symmetric threads;
 * - objects that look alike, as long as there are not very many;
 * - local variables that only frames lead to, since they are no part of a state any more when
 *   these don't.
 * Which ones these are depends on the graph (and what was made before the thread was). */
#ifndef VM_PRECONCURRENT_H
#define VM_PRECONCURRENT_H

#include <stdbool.h>
#include <stdint.h>

struct vm;
struct vm_id_list;

bool vm_preconcurrent_are_many(const struct vm *vm);
/* Returns a list of their ids.  begin: the index of the new thread's record. */
struct vm_id_list *vm_preconcurrent_ids(struct vm *vm, uint32_t begin);

#endif
