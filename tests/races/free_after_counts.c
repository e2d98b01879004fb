// A thread gives up its two counts of an object, one atomic step each, and frees it; another
// thread reads the object in no order with that.  A search by executions meets the reader's end
// before the counts: then nobody else can reach the object, and both counts and the free are
// one step.  Result: data race or memory error. -DJOINED the free comes after the join:
// correct.
// Options: --search=dpor
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct counted {
    atomic_int strong;
    atomic_int weak;
    int value;
};

static void *read_it(void *arg)
{
    int value = *(int *)arg;
    (void)value;
    return NULL;
}

int main(void)
{
    struct counted *p = malloc(sizeof *p);
    atomic_init(&p->strong, 1);
    atomic_init(&p->weak, 1);
    p->value = 3;
    pthread_t t;
    pthread_create(&t, NULL, read_it, &p->value);
#ifdef JOINED
    pthread_join(t, NULL);
#endif
    if (atomic_fetch_sub(&p->strong, 1) == 1 && atomic_fetch_sub(&p->weak, 1) == 1)
        free(p);
#ifndef JOINED
    pthread_join(t, NULL);
#endif
    return 0;
}
