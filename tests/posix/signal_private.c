// The handler of a signal sees what is its thread's own: thread-local variables, and local ones
// that it finds through a pointer there or after a longjmp, at each atomic or volatile access.
//
// Result: assertion violation.  -DFLAG it is volatile: assertion violation.
// -DFOUND a local variable: assertion violation.  -DJUMP left by siglongjmp: assertion
// violation. -DFENCED the signal is blocked meanwhile: correct.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FLAG
static _Thread_local volatile sig_atomic_t stage;
#else
static _Thread_local atomic_int stage;
#endif
static _Thread_local atomic_int *_Atomic shown;
static _Thread_local sigjmp_buf back;

static void handle(int signal)
{
    (void)signal;
#ifdef JUMP
    siglongjmp(back, 1);
#elif defined FOUND
    atomic_int *found = shown;
    assert(!found || *found != 1);
#else
    assert(stage != 1);
#endif
}

static void change(void)
{
#ifdef FOUND
    atomic_int local = 0;
    shown = &local;
    local = 1;
    local = 2;
    shown = NULL;
#else
    stage = 1;
    stage = 2;
#endif
}

static void mask(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(how, &set, NULL);
}

static void *work(void *arg)
{
    mask(SIG_BLOCK);
#ifdef JUMP
    volatile sig_atomic_t step = 0;
    if (sigsetjmp(back, 0) == 0) {
        mask(SIG_UNBLOCK);
        step = 1;
        step = 2;
        mask(SIG_BLOCK);
    }
    assert(step != 1);
#elif defined FENCED
    change();
    mask(SIG_UNBLOCK);
#else
    mask(SIG_UNBLOCK);
    change();
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handle);
    mask(SIG_BLOCK);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
