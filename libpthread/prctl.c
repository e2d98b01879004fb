/* prctl.c - prctl.  musl's reads four arguments, however many were passed; here those that the
 * operation has.  It is in this library since threads have names. */
#include "libpthread/internal.h"
#include "os/error.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/wait.h"
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>

static int fail(int error)
{
    errno = error;
    return -1;
}

/* Sets the thread's name.  Longer ones are cut, as by Linux. */
static int set_name(const char *name)
{
    char all[16] = {0};
    memcpy(all, name, strnlen(name, sizeof all - 1));
    pthread_setname_np(pthread_self(), all);
    return 0;
}

static int get_name(char *name)
{
    char all[16] = {0};
    struct os_thread *self = os_enter();
    os_act(VM_ACT_SYSCALL, self, sizeof *self);
    if (self->more)
        memcpy(all, self->more->name, sizeof all);
    os_leave();
    memcpy(name, all, sizeof all);
    return 0;
}

static _Noreturn void refuse(const char *operation, int number)
{
    char message[96], *end = os_put(message, "prctl: ");
    end = os_put(end, operation ? operation : "operation ");
    if (!operation)
        end = os_put_number(end, (unsigned)number);
    os_put(end, " is not supported");
    __os_error(VM_FAULT_SYSCALL, message);
}

/* Returns the names of operations that a program may have reason to call, beside the ones
 * below. */
static const char *name_of(int operation)
{
#define NAME(name) \
    case name: return #name
    switch (operation) {
        NAME(PR_GET_PDEATHSIG);
        NAME(PR_GET_DUMPABLE);
        NAME(PR_GET_KEEPCAPS);
        NAME(PR_SET_KEEPCAPS);
        NAME(PR_GET_TIMERSLACK);
        NAME(PR_GET_SECCOMP);
        NAME(PR_SET_SECCOMP);
        NAME(PR_CAPBSET_READ);
        NAME(PR_CAPBSET_DROP);
        NAME(PR_GET_NO_NEW_PRIVS);
        NAME(PR_SET_CHILD_SUBREAPER);
        NAME(PR_GET_CHILD_SUBREAPER);
        NAME(PR_SET_MM);
    default: return NULL;
    }
#undef NAME
}

/* Sets the signal of the parent's death.  Children see a parent's death: where there are any,
 * this is more than a wish. */
static int set_death_signal(unsigned long signal)
{
    if (signal > 64)
        return fail(EINVAL);
    if (signal && os_state()->processes)
        refuse("PR_SET_PDEATHSIG in a program that has forked", 0);
    return 0;
}

int prctl(int operation, ...)
{
    va_list list;
    va_start(list, operation);
    void *pointer = NULL;
    unsigned long number = 0;
    if (operation == PR_SET_NAME || operation == PR_GET_NAME)
        pointer = va_arg(list, void *);
    else if (operation == PR_SET_PDEATHSIG || operation == PR_SET_DUMPABLE ||
             operation == PR_SET_TIMERSLACK || operation == PR_SET_NO_NEW_PRIVS ||
             operation == PR_SET_PTRACER)
        number = va_arg(list, unsigned long);
    va_end(list);
    switch (operation) {
    case PR_SET_NAME: return set_name(pointer);
    case PR_GET_NAME: return get_name(pointer);
    case PR_SET_PDEATHSIG: return set_death_signal(number);
    case PR_SET_DUMPABLE: return number > 1 ? fail(EINVAL) : 0;
    case PR_SET_NO_NEW_PRIVS: return number != 1 ? fail(EINVAL) : 0;
    case PR_SET_TIMERSLACK:
    case PR_SET_PTRACER: return 0; /* there is nothing that it would change */
    default: refuse(name_of(operation), operation);
    }
}
