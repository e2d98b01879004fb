/* walk.h - all successors of one state, in the order of their choices.
 *
 * Where a transition branches, the machine is marked, and rolled back for the next
 * alternative: the common prefix runs once.  A walk belongs to one machine. */
#ifndef CHECKER_WALK_H
#define CHECKER_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "encounters.h"
#include "store/store.h"
#include "vm/vm.h"

struct walk_branch {
    size_t next, end; /* alternatives not yet taken: walk->alternatives[next .. end) */
    size_t nchoices;  /* choices made before it */
};

/* An alternative that is to be explored. */
struct walk_step {
    int value;
    struct store_place place; /* where the predicted successor is missing in the store */
};

struct walk;

enum { WALK_AHEAD = 32 }; /* successors of so many alternatives are predicted at most */

struct walk {
    struct vm *vm;
    struct store *store;           /* where the visitor looks for predicted successors */
    struct store_place place;      /* the place of the present transition's step */
    struct encounters *encounters; /* what is noted of states that are expanded, or NULL */
    struct store_user *exact;      /* the user of an exact store; NULL: states are hashed */
    int *choices; /* choices of the transition so far, those with one alternative left out */
    size_t nchoices, max_choices;
    struct walk_step *alternatives; /* a stack of those of all open branches */
    size_t nalternatives, max_alternatives;
    struct walk_branch *branches;
    size_t nbranches, max_branches;
};

void walk_init(struct walk *walk, struct vm *vm);
void walk_fini(struct walk *walk);

struct walk_visitor {
    /* Called at the end of each transition; false ends the walk. */
    bool (*visit)(void *context, struct walk *walk);
    /* Called for each predicted successor, unless NULL.  True: the transition is skipped, and
     * the callee has called vm_skip.  False: it will be executed; the callee may set
     * *place. */
    bool (*leaves_out)(void *context, struct walk *walk, const struct vm_prediction *prediction,
                       struct store_place *place);
    /* Called at each choice, unless NULL, while prefetched memory arrives: time for other work.
     */
    void (*waits)(void *context);
};

/* Visits all successors of a state, which it consumes, or of the boot if from is NULL.  False
 * if the machine was halted before the end. */
bool walk_successors(struct walk *walk, struct vm_state *from,
                     const struct walk_visitor *visitor, void *context);

/* Computes the fingerprint of the machine's present state; final states differ from all others.
 * False if an exact store has no memory for it. */
bool walk_hash(struct walk *walk, uint64_t hash[2]);

#endif
