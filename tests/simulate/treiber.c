/* A lock-free stack of Treiber whose nodes are used again at once (ABA): a node that a
 * thread is about to pop can have been popped and pushed meanwhile, with another one below
 * it.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NODES = 3, THREADS = 3, ROUNDS = 3, NONE = -1 };

static atomic_int top = NONE, below[NODES], users[NODES];

static void push(int node)
{
    int old = atomic_load(&top);
    do
        atomic_store(&below[node], old);
    while (!atomic_compare_exchange_weak(&top, &old, node));
}

static int pop(void)
{
    int old = atomic_load(&top);
    while (old != NONE) {
        int next = atomic_load(&below[old]);
        if (atomic_compare_exchange_weak(&top, &old, next))
            break;
    }
    return old;
}

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        int node = pop();
        if (node == NONE)
            continue;
        assert(atomic_fetch_add(&users[node], 1) == 0);
        atomic_fetch_sub(&users[node], 1);
        push(node);
    }
    return arg;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < NODES; i++)
        push(i);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
