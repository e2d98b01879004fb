/* walk.h - all successors of one state, in the order of their choices.
 *
 * Where a transition branches, the machine is marked, and rolled back for the next
 * alternative: the common prefix runs once.  A walk belongs to one machine. */
#ifndef CHECKER_WALK_H
#define CHECKER_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "../store/store.h"
#include "../vm/vm.h"
#include "reduce.h"

struct walk_branch {
    size_t next, end; /* its alternatives not yet taken: walk->alternatives[next .. end) */
    size_t nchoices;  /* choices made before it */
};

struct walk {
    struct vm *vm;
    struct store_user *exact; /* who has the numbers of states; NULL: they are hashed */
    struct reduce reduce;
    int *choices; /* of the transition so far, those with one alternative left out */
    size_t nchoices, max_choices;
    int *alternatives; /* of all open branches, stacked */
    size_t nalternatives, max_alternatives;
    struct walk_branch *branches;
    size_t nbranches, max_branches;
};

void walk_init(struct walk *walk, struct vm *vm);
void walk_fini(struct walk *walk);

/* Called at the end of each transition; false ends the walk. */
typedef bool walk_visit(void *context, struct walk *walk);

/* Visit all successors of a state, or of the boot if from is NULL. */
void walk_successors(struct walk *walk, struct vm_state *from, walk_visit *visit,
                     void *context);

/* The fingerprint of the state the machine is at; final states differ from all
 * others.  False if there is no memory for it. */
bool walk_hash(struct walk *walk, uint64_t hash[2]);

#endif
