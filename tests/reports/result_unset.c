// A flag is raised before what it announces is there.
// Result: undefined value. Learned: main looks in line 31 at the value of the result that
// thread 2 made in line 17 and left unset.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct result {
    int error;
    int value;
};

static _Atomic(struct result *) done;

static void *compute(void *arg)
{
    struct result *r = malloc(sizeof *r);
    r->error = 0;
    if (arg)
        r->value = 42;
    atomic_store(&done, r);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, compute, NULL);
    pthread_join(thread, NULL);
    struct result *r = done;
    if (r->value > 40)
        r->error = 1;
    free(r);
    return 0;
}
