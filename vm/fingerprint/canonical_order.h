/* canonical_order.h - the canonical order of symmetric threads, by which a state is described.
 *
 * Symmetric threads (thread_symmetry.h) are sorted by what is in their stable objects.  Threads
 * that look alike there may still differ in what points to them and what they point to.  They
 * are told apart by that as far as possible (colour refinement).  Of the orders that remain,
 * the one with the least form stands for all: one thread of those that look alike is singled
 * out, the others are told apart by that again, and so on, for each of them in turn
 * (individualisation and refinement; McKay and Piperno, "Practical graph isomorphism, II",
 * 2014).  If two threads can change places, which is tried, one of them is enough; most that
 * look alike can.  So states that differ only in the numbers of symmetric threads have one
 * form, whichever is met.
 */
#ifndef VM_CANONICAL_ORDER_H
#define VM_CANONICAL_ORDER_H

#include <stdbool.h>

struct vm;

/* Computes the form of what is walked for a fingerprint (symmetry->rest) in the canonical
 * order. The threads must be sorted by their colours (vm_symmetry_sort).  False if there are
 * pieces of pointers: then there is no such order. */
bool vm_canonical_order(struct vm *vm);

#endif
