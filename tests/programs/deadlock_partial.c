// Two threads may hang while a third goes on for ever; a deadlock is a state in
// which nobody can go on.  Result: correct.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *forth(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *back(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, forth, NULL);
    pthread_create(&u, NULL, back, NULL);
    for (;;)
        atomic_exchange(&x, 1);
}
