// Variadic system calls read the arguments that their operation has.  Result: correct.
// -DMISSING one that it has is not passed: bad call.
// -DREFUSED another operation: refused.
// -DNUMBER one without a name: refused.
// Expect-MISSING: variadic argument 1 is read, but 0 were passed
// Expect-REFUSED: prctl: PR_SET_SECCOMP is not supported
// Expect-NUMBER: prctl: operation 1000 is not supported
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static void *work(void *arg)
{
    char name[16], *long_name = arg;
    assert(prctl(PR_SET_NAME, long_name) == 0);
    memset(name, 'x', sizeof name);
    assert(prctl(PR_GET_NAME, name) == 0 && strcmp(name, "a name of more ") == 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    char name[16] = "none";
    assert(prctl(PR_GET_NAME, name) == 0 && strcmp(name, "") == 0);
    assert(prctl(PR_SET_NAME, "main", 0, 0, 0) == 0);
    pthread_create(&thread, NULL, work, "a name of more than 15 bytes");
    assert(prctl(PR_GET_NAME, (unsigned long)name) == 0 && strcmp(name, "main") == 0);
    pthread_join(thread, NULL);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
    assert(strcmp(name, "main") == 0);
    assert(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);
    assert(prctl(PR_SET_PDEATHSIG, 100) == -1 && errno == EINVAL);
    assert(prctl(PR_SET_DUMPABLE, 0) == 0 && prctl(PR_SET_DUMPABLE, 2) == -1);
    assert(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    assert(prctl(PR_SET_TIMERSLACK, 1ul) == 0);
    assert(fcntl(0, F_GETFD) == 0 && fcntl(0, F_GETPIPE_SZ) == -1);
#ifdef MISSING
    prctl(PR_SET_NAME);
#elif defined REFUSED
    prctl(PR_SET_SECCOMP, 1);
#elif defined NUMBER
    prctl(1000);
#endif
    return 0;
}
