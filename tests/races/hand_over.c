// A private object goes from thread to thread through a mutex-protected slot; only
// its present owner touches it.  Result: correct.
// -DKEEP the giver goes on writing to it: data race.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *slot;

static void *give(void *arg)
{
    int *mine = malloc(sizeof *mine);
    if (!mine)
        abort();
    *mine = 1;
    pthread_mutex_lock(&lock);
    slot = mine;
    pthread_mutex_unlock(&lock);
#ifdef KEEP
    *mine = 2;
#endif
    return arg;
}

static void *take(void *arg)
{
    pthread_mutex_lock(&lock);
    int *mine = slot;
    slot = NULL;
    pthread_mutex_unlock(&lock);
    if (mine) {
        *mine += 1;
        assert(*mine == 2);
        free(mine);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, give, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(slot);
    return 0;
}
