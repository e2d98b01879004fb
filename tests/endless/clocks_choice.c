// Clocks that are set only by time limits that pass: nobody has one here, so the clock stands
// still, and the loop is no endless run all the same.
//
// Options: --clock=choice
//
// Result: correct. -DASKED_ONCE: endless run. -DBESIDE: correct.
#include "clocks.c"
