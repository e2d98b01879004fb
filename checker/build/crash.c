/* crash.c - see crash.h.  A crash is a signal that the thread sends itself; its handler goes
 * back to where the body was called, on a stack of its own, since the other one may be full. */
#include "checker/build/crash.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

enum { STACK = 64 << 10 };

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
enum { CRASHES = sizeof crashes / sizeof *crashes };

static _Thread_local sigjmp_buf *back; /* NULL: a crash is one */

static void on_crash(int number)
{
    if (back)
        siglongjmp(*back, 1);
    signal(number, SIG_DFL);
    raise(number);
}

bool crash_survived(void (*body)(void *context), void *context)
{
    struct sigaction handler = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK},
                     before[CRASHES];
    stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK}, old;
    sigjmp_buf here;
    volatile bool survived = false;
    bool own = stack.ss_sp && sigaltstack(&stack, &old) == 0;
    for (size_t k = 0; k < CRASHES; k++)
        sigaction(crashes[k], &handler, &before[k]);
    if (sigsetjmp(here, 1) == 0) {
        back = &here;
        body(context);
        survived = true;
    }
    back = NULL;
    for (size_t k = 0; k < CRASHES; k++)
        sigaction(crashes[k], &before[k], NULL);
    if (own)
        sigaltstack(&old, NULL);
    free(stack.ss_sp);
    return survived;
}
