/* Ten philosophers take the left fork first.
 * Result: deadlock. */
#include <pthread.h>

enum { N = 10, ROUNDS = 2 };

static pthread_mutex_t fork_[N];
static int place[N];

static void *dine(void *arg)
{
    int i = *(int *)arg;
    for (int k = 0; k < ROUNDS; k++) {
        pthread_mutex_lock(&fork_[i]);
        pthread_mutex_lock(&fork_[(i + 1) % N]);
        pthread_mutex_unlock(&fork_[(i + 1) % N]);
        pthread_mutex_unlock(&fork_[i]);
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < N; i++) {
        place[i] = i;
        pthread_mutex_init(&fork_[i], NULL);
    }
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, dine, &place[i]);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
