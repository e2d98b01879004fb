/* relief.c - the toy machine of vm.c always has room. */
#include <stdlib.h>

#include "vm/vm.h"

void vm_relieve(const struct vm_relief *relief)
{
    (void)relief;
}

struct vm_relief vm_relief(void)
{
    return (struct vm_relief){0};
}

bool vm_has_room(size_t bytes)
{
    (void)bytes;
    return true;
}

bool vm_was_refused(void)
{
    return false;
}

void vm_exhausted(void)
{
    abort();
}
