// Functions of <signal.h> beyond those that every program uses.
//
// Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

static volatile sig_atomic_t taken;

static char handle_stack[8192];

static void take(int signal)
{
    taken = signal;
}

int main(void)
{
    sigset_t a, b, c;
    jmp_buf place;
    sigfillset(&a);
    sigemptyset(&b);
    assert(sigisemptyset(&b) && !sigisemptyset(&a));
    sigdelset(&a, SIGUSR1);
    assert(!sigismember(&a, SIGUSR1) && sigandset(&c, &a, &b) == 0 && sigisemptyset(&c));
    assert(sigorset(&c, &a, &b) == 0 && sigismember(&c, SIGINT));
    sigset(SIGUSR1, take);
    assert(sighold(SIGUSR1) == 0 && raise(SIGUSR1) == 0 && !taken);
    assert(sigrelse(SIGUSR1) == 0 && taken == SIGUSR1);
    assert(sigignore(SIGUSR2) == 0 && killpg(getpgrp(), SIGUSR2) == 0);
    assert(siginterrupt(SIGUSR1, 1) == 0);
    sighold(SIGUSR1);
    raise(SIGUSR1);
    sigemptyset(&a);
    sigaddset(&a, SIGUSR1);
    siginfo_t info = {0};
    assert(sigwaitinfo(&a, &info) == SIGUSR1 && info.si_signo == SIGUSR1);
    taken = 0;
    raise(SIGUSR1);
    assert(sigsuspend(&b) == -1 && taken == SIGUSR1);
    raise(SIGUSR1);
    assert(sigpause(SIGUSR1) == -1 && taken == SIGUSR1);
    stack_t stack = {.ss_sp = handle_stack, .ss_size = sizeof handle_stack};
    assert(sigaltstack(&stack, NULL) == 0);
    psignal(SIGINT, "psignal");
    psiginfo(&info, "psiginfo");
    if (_setjmp(place) == 0)
        _longjmp(place, 1);
    return 0;
}
