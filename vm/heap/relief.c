/* relief.c - calls the thread's relief when there is no more memory of the host. */
#include <stdio.h>
#include <unistd.h>

#include "vm/vm.h"

static _Thread_local struct vm_relief present;
static _Thread_local bool refused;

void vm_relieve(const struct vm_relief *relief)
{
    present = relief ? *relief : (struct vm_relief){0};
}

struct vm_relief vm_relief(void)
{
    return present;
}

bool vm_has_room(size_t bytes)
{
    bool room = !present.has_room || present.has_room(present.context, bytes);
    refused |= !room;
    return room;
}

bool vm_was_refused(void)
{
    bool was = refused;
    refused = false;
    return was;
}

void vm_exhausted(void)
{
    enum { INCOMPLETE = 5 };
    if (present.exhausted)
        present.exhausted(present.context);
    fflush(stdout);
    fputs("divm: incomplete: out of memory\n", stderr);
    _exit(INCOMPLETE);
}
