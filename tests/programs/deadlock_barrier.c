// One of three never comes to the barrier.  Result: deadlock.
// -DALL all come: correct.
// Expect: deadlock
#include <pthread.h>

static pthread_barrier_t three;

static void *work(void *arg)
{
    pthread_barrier_wait(&three);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&three, NULL, 3);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
#ifdef ALL
    pthread_barrier_wait(&three);
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_barrier_destroy(&three);
    return 0;
}
