/* seq_cst.h - the order of seq_cst accesses and fences, where there are weaker ones: the
 * relation psc of RC11, which must have no cycles (Lahav, Vafeiadis, Kang, Hur and Dreyer,
 * "Repairing sequential consistency in C/C++11", PLDI 2017).
 *
 * An event is a seq_cst access or fence.  An access e comes before an event n
 *
 *   - if it is sequenced before it, or before something that happens before something that is
 *     sequenced before n;
 *   - if it happens before n, and both are accesses of one place;
 *   - if n is a store of the same place, and later than e or than what e reads;
 *   - if n is a fence, and one of these holds of e and something (b) that happens before n.
 *
 * A fence comes before what comes after anything that it happens before, in this sense; and
 * before each fence after an access that is coherence-ordered after another that it happens
 * before.  (The paper wants the accesses between e and n, where e is sequenced before one and
 * the other before n, to be of other places; but what a program reads it keeps somewhere, in
 * another place.)
 *
 * What takes place is always the last event by what happened before it; only a load of an old
 * store, or a store that is not the last one, comes before events that are there.  So of each
 * live store of a place is known which events come before it (VM_OF_BEFORE; VM_OF_ITSELF is its
 * own) or before a store that would come right after it (VM_OF_READERS as well), which come
 * after it (VM_OF_AFTER), and which fences come after a read of it (VM_OF_SEEN); and of each
 * event, which come after it (VM_OF_EVENT, a transitive closure).  An event that none comes
 * before, nor can any more, is forgotten; so is one for which a later one stands.
 *
 * A fence that happens before an access need not be noted as coming before it: whatever comes
 * after the access comes after the fence, too, so that adds no cycle.  (So it is with a fence,
 * an access of a place, a release fence and a relaxed store of the same place, in one thread,
 * and a seq_cst load that reads the store.) */
#ifndef VM_SEQ_CST_H
#define VM_SEQ_CST_H

#include "order.h"
#include "relation.h"

/* Is there something to be noted of accesses? */
bool vm_seq_cst_matters(const struct vm_order *o);
/* May the access read the store of the rank, or come right after it?  The stores of its place
 * are listed (stores.h). */
bool vm_seq_cst_allows(struct vm *vm, const struct vm_event_of *event, uint32_t rank);
/* Notes, before the access acquires anything, what comes before it because it is sequenced
 * before it. */
void vm_seq_cst_prepare(struct vm *vm);
/* Notes that the holder has been given what a store passes on; a release store passes on what
 * its thread knows. */
void vm_seq_cst_acquired(struct vm_order *o, uint32_t holder);
void vm_seq_cst_released(struct vm_order *o, uint32_t message);
/* Notes an access that has acquired, and not stored yet.  Returns the item of its event,
 * VM_NO_EVENT if it is none. */
enum { VM_NO_EVENT = UINT32_MAX };
size_t vm_seq_cst_access(struct vm *vm, const struct vm_event_of *event, uint32_t rank);
/* Notes that the access has stored, right after the store of that rank in the present list. */
void vm_seq_cst_store(struct vm *vm, uint32_t rank, size_t event);
/* Notes that the access is done: from now on all that comes next is sequenced after it. */
void vm_seq_cst_done(struct vm *vm, size_t event);
/* Notes a seq_cst fence, after it has acquired and before it releases. */
void vm_seq_cst_fence(struct vm *vm);
/* Drops events that can make no cycle any more. */
void vm_seq_cst_forget(struct vm_order *o);

#endif
