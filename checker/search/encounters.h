/* encounters.h - conflicting accesses that met: pairs of places at which two threads stood
 * before visible accesses of the same bytes, so that either could come first.
 *
 * A state in which two threads can both do such an access is a state of each search by states,
 * whatever is reduced, since the two depend on each other; so what has met does not depend on
 * reductions.  Threads: any may look, at any time; the list is read when nobody looks. */
#ifndef CHECKER_ENCOUNTERS_H
#define CHECKER_ENCOUNTERS_H

#include "vm/vm.h"

struct encounters;

/* Two places, the smaller one first; the global variable that both access, or "". */
struct encounter {
    struct {
        const char *file;
        unsigned line;
    } at[2];
    const char *object;
};

struct encounters *encounters_new(void);
void encounters_free(struct encounters *encounters);
/* Notes which threads have met in a state in which the scheduler chooses.  encounters: NULL
 * notes nothing. */
void encounters_note(struct encounters *encounters, const struct vm *vm,
                     const struct vm_choice *choice);
/* Lists the encounters by their places; the caller frees the list. */
struct encounter *encounters_list(struct encounters *encounters, size_t *n);

#endif
