/* sigaltstack.c - what was set is told again.  Handlers need no stack: frames are objects. */
#include <errno.h>
#include <signal.h>

int sigaltstack(const stack_t *restrict stack, stack_t *restrict old)
{
    static _Thread_local stack_t present = {.ss_flags = SS_DISABLE};
    stack_t before = present;
    if (stack) {
        if (stack->ss_flags & ~SS_DISABLE) {
            errno = EINVAL;
            return -1;
        }
        if (!(stack->ss_flags & SS_DISABLE) && stack->ss_size < MINSIGSTKSZ) {
            errno = ENOMEM;
            return -1;
        }
        present = *stack;
    }
    if (old)
        *old = before;
    return 0;
}
