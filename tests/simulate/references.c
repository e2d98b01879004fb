/* A count of references whose decrement is a load and a store: two that leave at once count as
 * one, and nobody is the last.
 * Result: memory error. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { USERS = 10 };

struct shared {
    atomic_int references;
};
static struct shared *object;

static void drop(void)
{
    int left = atomic_load(&object->references) - 1;
    atomic_store(&object->references, left);
    if (left == 0)
        free(object);
}

static void *use(void *arg)
{
    drop();
    return arg;
}

int main(void)
{
    pthread_t thread[USERS];
    object = calloc(1, sizeof *object);
    atomic_store(&object->references, USERS);
    for (int i = 0; i < USERS; i++)
        pthread_create(&thread[i], NULL, use, NULL);
    for (int i = 0; i < USERS; i++)
        pthread_join(thread[i], NULL);
    object = NULL; /* so it is leaked */
    return 0;
}
