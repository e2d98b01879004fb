// What could fork, but does not, is searched as what cannot: threads that are alike are told
// apart by nobody.  Result: correct.
// -DNEVER has no fork at all: correct.
// -DFORK does, at last: correct.
// -DBUG a child finds what its parent's threads have written: assertion violation.
// -DLOST a step is not atomic, and there is a child only where one was lost: assertion
// violation.
// Options: --search=bfs
// Expect: no error found: 15 states
// Expect-NEVER: no error found: 15 states
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, STEPS = 2 };

static atomic_int n;

static void *count(void *arg)
{
    for (int i = 0; i < STEPS; i++)
#ifdef LOST
        n = n + 1;
#else
        n++;
#endif
    return arg;
}

static int child(void)
{
#if defined FORK || defined BUG
    pid_t pid = fork();
#elif defined NEVER
    pid_t pid = 1;
#else
    pid_t pid = n < THREADS * STEPS ? fork() : 1;
#endif
    if (pid)
        return pid;
    n++;
#if defined BUG || defined LOST
    assert(n == THREADS * STEPS);
#endif
    _exit(n == THREADS * STEPS + 1 ? 0 : 1);
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, count, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    int pid = child(), status = 0;
    assert(pid > 0);
    if (pid > 1)
        assert(waitpid(pid, &status, 0) == pid);
    assert(status == 0 && n == THREADS * STEPS);
    return 0;
}
