/* handler.h - signals and their handlers, as the kernel keeps them; the shapes are Linux's on
 * x86-64.  For os/signal.c, in the kernel. */
#ifndef OS_HANDLER_H
#define OS_HANDLER_H

#include "os/state.h"

typedef void handler_function(int);
#define DEFAULT ((handler_function *)0)
#define IGNORE ((handler_function *)1)

enum { SIGINFO = 4, RESTART = 0x10000000, NODEFER = 0x40000000 };
#define RESETHAND 0x80000000u

/* The argument of the system call sigaction. */
struct os_handler {
    handler_function *function;
    uint64_t flags;
    void (*restorer)(void); /* not kept */
    uint64_t mask;
};

/* The signals of struct os_state; the table goes up to the last signal with a handler. */
struct os_signals {
    uint64_t pending;        /* signals of the process that no thread has got */
    struct os_thread *alarm; /* will send SIGALRM, or NULL */
    struct os_handler handler[];
};

/* The siginfo_t that a handler with SA_SIGINFO gets; only the number is meaningful (0 is
 * SI_USER). */
struct info {
    int signal, error, code, unused;
    int process, user;
    uint64_t rest[13];
};

#endif
