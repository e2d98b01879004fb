/* forms.h - a cache of canonical forms.
 *
 * A fingerprint is the sum of the stable objects' terms, and the form of what is visited
 * beside them (inchash.h: rest).  Most states have in common with others what is visited, so
 * its form is kept by what decides it:
 *
 * - after a cached transition (tcache.h), by the form before it, and by the transition;
 * - where threads are alike (thread_symmetry.h), by the form of what is visited as it stands,
 * and by which of the symmetric threads look alike: the form with the symmetric threads in
 * their canonical order.
 *
 * A form that is not kept is made by visiting; so nothing depends on whether it is, and both
 * tables are of fixed size, where what comes later takes the place of what was there.  Belongs
 * to one machine.  Memory is exhausted: as vm_alloc says. */
#ifndef VM_FORMS_H
#define VM_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vm_forms;
struct vm_inchash;
struct vm_symmetry;

/* rests, ranked: which of the two kinds are kept. */
struct vm_forms *vm_forms_new(bool rests, bool ranked);
void vm_forms_free(struct vm_forms *forms);
/* Forgets all forms by transitions: their tags may come to mean others. */
void vm_forms_forget(struct vm_forms *forms);
size_t vm_forms_bytes(const struct vm_forms *forms);

/* Returns the tag of what is visited after a cached transition from a state with this hash.  It
 * depends on all that was visited before, not only as far as its hash tells, and on the
 * transition, a number.  0: there is none. */
uint64_t vm_forms_tag(const struct vm_inchash *inchash, uint64_t transition);
/* Begins a transition with this tag, or 0: until the next one begins, its end is looked for,
 * and noted, by the tag. */
void vm_forms_begin(struct vm_forms *forms, uint64_t tag);
/* Recalls the form after that transition into inchash; false if it is not kept. */
bool vm_forms_recall(const struct vm_forms *forms, struct vm_inchash *inchash);
/* Does the same for a transition that has not been executed. */
bool vm_forms_predict(struct vm_forms *forms, uint64_t tag, struct vm_inchash *inchash);
/* Keeps the form of a fingerprint that has been made. */
void vm_forms_note(struct vm_forms *forms, const struct vm_inchash *inchash);

/* Is it worth while at present to ask for the form in the symmetric threads' order? */
bool vm_forms_asks_ranked(struct vm_forms *forms);
/* Recalls that form into symmetry->rest; false if it is not kept.  known: nothing was visited
 * for what it is asked by.  footprint: a pointer to the open footprints. */
bool vm_forms_ranked(struct vm_forms *forms, const struct vm_inchash *inchash,
                     uint64_t footprint, struct vm_symmetry *symmetry, bool known);
void vm_forms_note_ranked(struct vm_forms *forms, const struct vm_inchash *inchash,
                          uint64_t footprint, const struct vm_symmetry *symmetry);

#endif
