/* automaton.h - a generalised Büchi automaton that accepts the runs for which a formula fails:
 * Gerth, Peled, Vardi and Wolper, "Simple on-the-fly automatic verification of linear temporal
 * logic", PSTV 1995.
 *
 * It reads the atoms of one state of the run after the other.  A state of the automaton says
 * which of them must and must not be true where it is entered.  A run is accepted if there is a
 * way along it that meets states of each acceptance set again and again. */
#ifndef CHECKER_LIVENESS_AUTOMATON_H
#define CHECKER_LIVENESS_AUTOMATON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/query/formula.h"

struct automaton_state {
    uint64_t must, must_not; /* atoms, as bits */
    uint64_t accepts;        /* the acceptance sets that it belongs to, as bits */
    uint32_t *next;          /* states that can follow */
    size_t nnext, max_next;
};

/* The first state is entered before a run begins, and never again. */
struct automaton {
    struct automaton_state *states;
    size_t n, max;
    uint64_t all; /* acceptance sets */
};

/* Makes the automaton of a formula in negation normal form, which is to hold.  Its atoms have
 * numbers from `first` on; unknown: those that are not known in some states.  False if there
 * would be too many states. */
bool automaton_of(struct automaton *automaton, const struct formula_form *form, unsigned first,
                  uint64_t unknown);
/* Makes the automaton that accepts every run; by_monitor: the one of which no state accepts, as
 * transitions do (struct graph_edge). */
void automaton_of_all(struct automaton *automaton, bool by_monitor);
void automaton_fini(struct automaton *automaton);

/* What is not known is as good as violated, whether it is to be true or false: so a run that
 * violates the formula is one in which it is not known to hold. */
static inline bool automaton_may_enter(const struct automaton_state *state,
                                       struct formula_atoms atoms)
{
    return !(state->must & ~atoms.may_be) && !(state->must_not & atoms.are);
}

#endif
