// The creator writes what the new thread reads, after it made it: the end of a
// third thread must not hide that.  Result: data race.
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static int x;

static void *post(void *arg)
{
    sem_post(&sem);
    return arg;
}

static void *read_x(void *arg)
{
    sem_wait(&sem);
    return x ? arg : NULL;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&sem, 0, 0);
    pthread_create(&a, NULL, post, NULL);
    pthread_create(&b, NULL, read_x, NULL);
    x = 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
