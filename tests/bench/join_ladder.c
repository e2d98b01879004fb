// N threads and main each add one under a mutex.  Result: correct.
// By states it is a few thousand for ten threads, by executions there is one for each order.
#include <pthread.h>
#ifndef N
#define N 4
#endif
static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work, NULL);
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    return n - N - 1;
}
