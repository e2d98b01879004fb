// A child's main thread waits for what it holds itself; its parent waits for its end.
// Result: deadlock.
// -DMADE a thread of the child's has taken it along: deadlock.
// -DRUNS the parent goes on for ever: deadlock.
// -DOTHER another thread of the child is stuck, the child can end: correct.
// -DKILLED the parent ends the child by a signal: correct.
// -DSHARED the child waits for what the parent holds, and gives back: correct.
// -DLEFT the child waits for what a third process has taken with it: deadlock.
// Expect: deadlock: 1 of 2 threads is blocked forever, the main thread too
// Expect-LEFT: deadlock
// Expect-MADE: @make: create thread 3
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *lock = &mutex;
static atomic_int x;

#ifdef OTHER
static void *wait_for_ever(void *arg)
{
    pthread_mutex_lock(&mutex);
    return arg;
}
#endif

#ifdef MADE
static void *take_along(void *arg)
{
    pthread_mutex_lock(&mutex);
    return arg;
}
#endif

static int child(void)
{
#ifdef MADE
    pthread_t t;
    pthread_create(&t, NULL, take_along, NULL); // @make
    pthread_join(t, NULL);
#elif defined OTHER
    pthread_t t;
    pthread_mutex_lock(&mutex);
    pthread_create(&t, NULL, wait_for_ever, NULL);
    _exit(0);
#elif !defined SHARED && !defined LEFT
    pthread_mutex_lock(lock);
#endif
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    _exit(0);
}

int main(void)
{
#if defined SHARED || defined LEFT
    lock = mmap(NULL, sizeof *lock, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(lock, &attr);
#endif
#ifdef SHARED
    pthread_mutex_lock(lock);
#elif defined LEFT
    if (fork() == 0) {
        pthread_mutex_lock(lock);
        _exit(0);
    }
    wait(NULL);
#endif
    pid_t pid = fork();
    if (pid == 0)
        child();
#ifdef SHARED
    pthread_mutex_unlock(lock);
#elif defined KILLED
    kill(pid, SIGKILL);
#elif defined RUNS || defined LEFT
    for (;;)
        atomic_exchange(&x, 1);
#endif
    waitpid(pid, NULL, 0);
    return 0;
}
