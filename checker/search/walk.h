/* walk.h - all successors of one state, in the order of their choices.
 *
 * Where a transition branches, the machine is marked, and rolled back for the next
 * alternative: the common prefix runs once.  A walk belongs to one machine. */
#ifndef CHECKER_WALK_H
#define CHECKER_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "store/store.h"
#include "vm/vm.h"

struct walk_branch {
    size_t next, end; /* its alternatives not yet taken: walk->alternatives[next .. end) */
    size_t nchoices;  /* choices made before it */
};

/* An alternative that is to be taken. */
struct walk_step {
    int value;
    struct store_place place; /* where the state that it leads to was looked for */
};

struct walk;

enum { WALK_AHEAD = 32 }; /* more threads are not looked at before they are chosen */

struct walk {
    struct vm *vm;
    struct store *store;      /* where the visitor will look for what is predicted */
    struct store_place place; /* of the transition that ends: as in its step */
    struct store_user *exact; /* who has the numbers of states; NULL: they are hashed */
    int *choices; /* of the transition so far, those with one alternative left out */
    size_t nchoices, max_choices;
    struct walk_step *alternatives; /* of all open branches, stacked */
    size_t nalternatives, max_alternatives;
    struct walk_branch *branches;
    size_t nbranches, max_branches;
};

void walk_init(struct walk *walk, struct vm *vm);
void walk_fini(struct walk *walk);

struct walk_visitor {
    /* At the end of each transition; false ends the walk. */
    bool (*visit)(void *context, struct walk *walk);
    /* Or NULL, as the next one.  Is a transition that is known left out?  Then vm_skip was
     * called; else the place may have been set. */
    bool (*leaves_out)(void *context, struct walk *walk, const struct vm_prediction *prediction,
                       struct store_place *place);
    /* At each choice.  What is predicted was asked for: while it comes, something else can be
     * done. */
    void (*waits)(void *context);
};

/* Visit all successors of a state, which is gone after it, or of the boot if from is NULL.
 * False if the machine was halted before. */
bool walk_successors(struct walk *walk, struct vm_state *from,
                     const struct walk_visitor *visitor, void *context);

/* The fingerprint of the state the machine is at; final states differ from all
 * others.  False if there is no memory for it. */
bool walk_hash(struct walk *walk, uint64_t hash[2]);

#endif
