// Clocks that are set only where no thread can go on: one always can here, so the clock stands
// still, and the loop is no endless run all the same.
//
// Options: --clock=prompt
//
// Result: correct. -DBEFORE: endless run. -DFOR_FLAG: correct.
#include "clocks.c"
