/* canonical_order.h - the order of threads that are alike by which a state is described.
 *
 * Symmetric threads (thread_symmetry.h) are sorted by what is in their stable objects.  Of
 * those that look alike it matters which is which if other objects tell them apart: what leads
 * to them, or what they lead to.  They are told apart by that as far as possible (colour
 * refinement), and of the orders that are left the one with the least form stands for all: one
 * of those that look alike is told from the others, which are told apart by that again, and so
 * on, for each of them in turn (individualisation and refinement; McKay and Piperno, "Practical
 * graph isomorphism, II", 2014).  If two can change places, which is tried, one of them is
 * enough; most that look alike can.  So states that are the same but for the numbers of
 * symmetric threads have one form, whichever of them is met. */
#ifndef VM_CANONICAL_ORDER_H
#define VM_CANONICAL_ORDER_H

#include <stdbool.h>

struct vm;

/* Symmetric threads have colours and are sorted by them (vm_symmetry_sort): gives what is
 * visited for a fingerprint a form (symmetry->rest) by an order of the symmetric threads. False
 * if there are pieces of pointers: then there is no such order. */
bool vm_canonical_order(struct vm *vm);

#endif
