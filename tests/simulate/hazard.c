/* Hazard pointers: a reader publishes which node it uses, but does not look again whether
 * the node is still the present one.
 * Result: memory error. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { READERS = 5, UPDATES = 3 };

struct node {
    atomic_int value;
};
static _Atomic(struct node *) current, hazard[READERS];
static int number[READERS];

static void *use(void *arg)
{
    int i = *(int *)arg;
    struct node *node = atomic_load(&current);
    atomic_store(&hazard[i], node);
    int value = atomic_load(&node->value);
    atomic_store(&hazard[i], NULL);
    return value < 0 ? arg : NULL;
}

static void retire(struct node *node)
{
    for (int i = 0; i < READERS; i++)
        while (atomic_load(&hazard[i]) == node)
            ;
    free(node);
}

static struct node *make(int value)
{
    struct node *node = malloc(sizeof *node);
    atomic_init(&node->value, value);
    return node;
}

int main(void)
{
    pthread_t thread[READERS];
    atomic_store(&current, make(0));
    for (int i = 0; i < READERS; i++) {
        number[i] = i;
        pthread_create(&thread[i], NULL, use, &number[i]);
    }
    for (int i = 1; i <= UPDATES; i++)
        retire(atomic_exchange(&current, make(i)));
    for (int i = 0; i < READERS; i++)
        pthread_join(thread[i], NULL);
    free(atomic_load(&current));
    return 0;
}
