// Two threads join the same one.  Result: pthread misuse.
#include <pthread.h>

static void *work(void *arg)
{
    return arg;
}

static void *joiner(void *arg)
{
    pthread_join(*(pthread_t *)arg, NULL);
    return NULL;
}

int main(void)
{
    static pthread_t t;
    pthread_t j;
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&j, NULL, joiner, &t);
    pthread_join(t, NULL);
    pthread_join(j, NULL);
    return 0;
}
