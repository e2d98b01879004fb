// steal.c with plain slots, which race.
// Options: --races=allow
// Result: correct.
#define PLAIN
#include "steal.c"
