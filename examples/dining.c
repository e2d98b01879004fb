// Three philosophers, three forks: all may pick up their left fork at the same
// time, and wait for the right one for ever.  Result: deadlock.
// -DFIXED lets the last one begin with the other fork: correct.
// Expect: deadlock
#include <pthread.h>
#include <stdint.h>

enum { N = 3 };

static pthread_mutex_t fork_[N];

static void *eat(void *arg)
{
    int left = (int)(intptr_t)arg, right = (left + 1) % N;
#ifdef FIXED
    if (left > right) {
        int swap = left;
        left = right;
        right = swap;
    }
#endif
    pthread_mutex_lock(&fork_[left]);
    pthread_mutex_lock(&fork_[right]);
    pthread_mutex_unlock(&fork_[right]);
    pthread_mutex_unlock(&fork_[left]);
    return NULL;
}

int main(void)
{
    pthread_t philosopher[N];
    for (int k = 0; k < N; k++)
        pthread_mutex_init(&fork_[k], NULL);
    for (int k = 0; k < N; k++)
        pthread_create(&philosopher[k], NULL, eat, (void *)(intptr_t)k);
    for (int k = 0; k < N; k++)
        pthread_join(philosopher[k], NULL);
    for (int k = 0; k < N; k++)
        pthread_mutex_destroy(&fork_[k]);
    return 0;
}
