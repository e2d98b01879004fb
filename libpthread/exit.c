/* exit.c - pthread_exit: clean-up handlers, then C++ objects on the stack, then
 * thread-local ones, then the destructors of keys, then the end.  The last thread takes the
 * process with it. */
#include "libpthread/internal.h"
#include "os/commute.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/thread_end.h"
#include <stdlib.h>

void _pthread_cleanup_push(struct __ptcb *handler, void (*function)(void *), void *arg)
{
    struct os_more *more = os_more(os_enter());
    handler->__f = function;
    handler->__x = arg;
    handler->__next = more->cleanup;
    more->cleanup = handler;
    os_leave();
}

void _pthread_cleanup_pop(struct __ptcb *handler, int run)
{
    struct os_thread *self = os_enter();
    self->more->cleanup = handler->__next;
    os_less(self);
    os_leave();
    if (run)
        handler->__f(handler->__x);
}

/* Has the thread a struct os_more?  Others can give it one, with a name for instance; but what
 * the caller asks for in it is the thread's own affair. */
OS_INLINE bool has_more(const struct os_thread *self)
{
    os_commutes_begin();
    bool more = self->more;
    os_commutes_end();
    return more;
}

static void run_handlers(struct os_thread *self)
{
    if (__pthread_cancellable)
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    while (self->more && self->more->cleanup)
        _pthread_cleanup_pop(self->more->cleanup, 1);
}

/* Destructors of thread-local C++ objects: replaced by libc/cxx/thread_exit.c. */
void __call_thread_destructors(void);
__attribute__((weak)) void __call_thread_destructors(void)
{
}

/* Destructors of C++ objects on the stack: replaced by libc/cxx/unwind.c, which then
 * goes on at __pthread_leave.  Where that is, there are exceptions. */
extern const int __pthread_unwinds;
__attribute__((weak)) const int __pthread_unwinds = 0;
void __pthread_unwind(void *result);
__attribute__((weak)) void __pthread_unwind(void *result)
{
    (void)result;
}

OS_INLINE _Noreturn void leave(struct os_thread *self, void *result)
{
    if (__divm_control(VM_REG_TLS, VM_GET, 0)) /* they are listed there */
        __call_thread_destructors();
    if (has_more(self)) {
        if (self->more->keys)
            __pthread_run_destructors();
        if (self->more && self->more->robust)
            __pthread_leave_robust();
    }
    os_thread_end(result);
    exit(0);
}

_Noreturn void __pthread_leave(void *result);
_Noreturn void __pthread_leave(void *result)
{
    leave(os_self(), result);
}

/* Ends the thread.  Most threads have none of what is to be done first. */
OS_INLINE _Noreturn void end(void *result)
{
    struct os_thread *self = os_self();
    os_commutes_begin();
    if (__pthread_unwinds || self->more || __divm_control(VM_REG_TLS, VM_GET, 0)) {
        os_commutes_end();
        if (has_more(self))
            run_handlers(self);
        if (__pthread_unwinds)
            __pthread_unwind(result);
        leave(self, result);
    }
    os_thread_end(result);
    exit(0);
}

_Noreturn void pthread_exit(void *result)
{
    end(result);
}

/* Begins a thread.  Most threads return: that takes no further call. */
void __pthread_run(os_function *start, void *arg)
{
    end(((void *(*)(void *))start)(arg));
}
