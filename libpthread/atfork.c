/* atfork.c - handlers for fork, which the kernel refuses: nobody calls them. */
#include "libpthread/internal.h"

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    (void)prepare;
    (void)parent;
    (void)child;
    return 0;
}
