/* errors.h - the errors that a search finds.
 *
 * Where one is enough, it is the one of the smallest state.  Where all are wanted
 * (check_options.all_errors), it is one of each kind and place: the one of the first level, and
 * there of the smallest state.  So what is reported is the same in every run, on any number of
 * workers.  A list belongs to one worker, and to everybody when all are done. */
#ifndef CHECKER_ERRORS_H
#define CHECKER_ERRORS_H

#include "store/store.h"
#include "vm/vm.h"

struct search_error {
    store_id state; /* the transition starts here, STORE_NONE for the boot */
    unsigned depth; /* of its end */
    bool endless;   /* there is no such transition: no end can be reached from the state */
    struct vm_failure failure; /* where all are wanted; else the kind is NONE */
};

struct search_errors {
    struct search_error *at;
    size_t n, max;
};

/* Adds an error.  Of two with the same failure, the nearer one is kept. */
void errors_note(struct search_errors *errors, const struct search_error *error);
/* Sorts the errors, the nearest first. */
void errors_sort(struct search_errors *errors);
void errors_fini(struct search_errors *errors);

#endif
