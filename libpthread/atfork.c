/* atfork.c - handlers for fork. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/wait.h"
#include <stdlib.h>

/* Calls the handlers, for libc/process/fork.c: -1 before, 0 in the parent, 1 in the child. */
void __fork_handler(int who);

/* The handlers in the order in which they were registered; kept for ever. */
static struct handlers {
    void (*prepare)(void), (*parent)(void), (*child)(void);
    struct handlers *next, *before;
} *first, *last;

static void call(void (*function)(void))
{
    if (function)
        function();
}

void __fork_handler(int who)
{
    if (who < 0) {
        for (const struct handlers *h = last; h; h = h->before)
            call(h->prepare);
        return;
    }
    for (const struct handlers *h = first; h; h = h->next)
        call(who ? h->child : h->parent);
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    struct handlers *made = malloc(sizeof *made);
    if (!made)
        return ENOMEM;
    os_enter();
    os_act(VM_ACT_INIT, &first, sizeof first);
    *made = (struct handlers){prepare, parent, child, NULL, last};
    *(last ? &last->next : &first) = made;
    last = made;
    os_leave();
    return 0;
}
