// Two threads take two locks in opposite orders; a third waits for either, which makes no other
// deadlock of it.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *two(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

static void *bystander(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
#ifdef SELF
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&b);
#endif
    return arg;
}

int main(void)
{
    static void *(*const all[])(void *) = {one, two, bystander};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, all[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}
