// A thread is made with attributes that another one changes.  Result: data race.
// -DPOLICY others of them: data race.
// -DOWN each thread has attributes of its own: correct.
#include <pthread.h>
#include <sched.h>

static pthread_attr_t attributes[2];

static void *nothing(void *arg)
{
    return arg;
}

static void *make(void *arg)
{
    pthread_t made;
    pthread_create(&made, &attributes[0], nothing, NULL);
    pthread_join(made, NULL);
    return arg;
}

static void *change(void *arg)
{
#ifdef OWN
    pthread_attr_t *mine = &attributes[1];
#else
    pthread_attr_t *mine = &attributes[0];
#endif
#ifdef POLICY
    pthread_attr_setschedpolicy(mine, SCHED_FIFO);
#else
    pthread_attr_setinheritsched(mine, PTHREAD_INHERIT_SCHED);
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;
    for (int k = 0; k < 2; k++)
        pthread_attr_init(&attributes[k]);
    pthread_create(&a, NULL, make, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
