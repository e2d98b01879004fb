/* ends.c - linked where the program can ask for what a thread has until it ends, see
 * os_see_ends: the end is then no conditionally visible action. */
#include "os/commute.h"
#include "os/state.h"

const int os_sees_ends = 1;

void os_see_ends(void)
{
}
