/* exit.c - pthread_exit: clean-up handlers, then the destructors of keys, then
 * the end.  The last thread takes the process with it. */
#include "libpthread/internal.h"
#include <stdlib.h>

void _pthread_cleanup_push(struct __ptcb *handler, void (*function)(void *), void *arg)
{
    struct os_thread *self = os_self();
    handler->__f = function;
    handler->__x = arg;
    handler->__next = self->cleanup;
    self->cleanup = handler;
}

void _pthread_cleanup_pop(struct __ptcb *handler, int run)
{
    os_self()->cleanup = handler->__next;
    if (run)
        handler->__f(handler->__x);
}

_Noreturn void pthread_exit(void *result)
{
    struct os_thread *self = os_self();
    while (self->cleanup)
        _pthread_cleanup_pop(self->cleanup, 1);
    if (self->keys)
        __pthread_run_destructors();
    os_thread_end(result);
    exit(0);
}
