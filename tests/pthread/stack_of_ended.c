// A thread leaves a pointer to its own variable behind.  Result: memory error.
#include <pthread.h>

static int *left;

static void *work(void *arg)
{
    int local = 1;
    (void)arg;
    left = &local;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return *left == 1 ? 0 : 1;
}
