// A producer does not look at what malloc returns.  Result: memory error.
// Learned: which allocation has failed, that of line 15.
// Options: --malloc-may-fail
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct job {
    int size;
};
_Atomic(struct job *) next;

static void *produce(void *arg)
{
    struct job *job = malloc(sizeof *job);
    job->size = 3;
    atomic_store(&next, job);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, produce, 0);
    pthread_join(thread, 0);
    free(atomic_load(&next));
    return 0;
}
