// What was printed is no part of the state: threads that print for ever come back to
// where they were.
//
// Options: -DENDLESS --endless=allow
// Result: correct.
// Expect: 4 states
#include "output_matters.c"
