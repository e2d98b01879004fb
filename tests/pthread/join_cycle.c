// Two threads join each other.  Result: deadlock.
#include <pthread.h>

static void *work(void *arg)
{
    pthread_join(*(pthread_t *)arg, NULL);
    return NULL;
}

int main(void)
{
    pthread_t self = pthread_self(), t;
    pthread_create(&t, NULL, work, &self);
    pthread_join(t, NULL);
    return 0;
}
