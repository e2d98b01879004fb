/* holds.h - whether a formula holds for a run, by the definition of its operators. */
#ifndef CHECKER_LIVENESS_HOLDS_H
#define CHECKER_LIVENESS_HOLDS_H

#include "checker/query/formula.h"

/* Does the formula hold for the run in which state i has these atoms, and the last of n states
 * is followed by state `loop`?  The formula's atoms have numbers from `first` on. */
bool formula_holds(const struct formula_form *form, unsigned first,
                   const struct formula_atoms *atoms, size_t n, size_t loop);

#endif
