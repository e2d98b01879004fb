// The child of a fork checks a counter that a thread of the parent was changing.
// Result: assertion violation. Learned: the child was forked between the two steps of thread 2,
// whose copy never makes the second.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int begun, ended;

static void *work(void *arg)
{
    atomic_fetch_add(&begun, 1);
    atomic_fetch_add(&ended, 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pid_t child = fork();
    if (child == 0) {
        assert(begun == ended);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    pthread_join(thread, NULL);
    return 0;
}
