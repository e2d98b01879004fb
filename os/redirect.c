/* redirect.c - linked where a descriptor can be given another file, see os_redirect: what a
 * thread prints later may then go there. */
#include "os/commute.h"
#include "os/state.h"

const int os_redirects = 1;

void os_redirect(void)
{
}
