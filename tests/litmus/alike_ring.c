// Four threads that are alike, each with a node of a ring: they can change places by turning
// the ring only, so no two of them alone.  Which is where is no part of a state all the same.
// Result: correct. -DBUG: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { N = 4 };

struct node {
    struct node *next;
    atomic_int value;
};

static atomic_int ended;

static void *work(void *arg)
{
    struct node *node = arg;
    atomic_fetch_add(&node->value, 1);
    atomic_fetch_add(&node->next->value, 1);
#ifdef BUG
    assert(atomic_load(&node->value) + atomic_load(&node->next->value) < 4);
#endif
    if (atomic_fetch_add(&ended, 1) + 1 < N)
        return NULL;
    for (int k = 0; k < N; k++) {
        struct node *next = node->next;
        assert(atomic_load(&node->value) == 2);
        free(node);
        node = next;
    }
    return NULL;
}

int main(void)
{
    struct node *node[N];
    pthread_t thread;
    for (int k = 0; k < N; k++)
        node[k] = malloc(sizeof *node[k]);
    for (int k = 0; k < N; k++)
        *node[k] = (struct node){.next = node[(k + 1) % N]};
    for (int k = 0; k < N; k++) {
        pthread_create(&thread, NULL, work, node[k]);
        pthread_detach(thread);
        thread = (pthread_t)0; /* no handle is left that tells one */
    }
    pthread_exit(NULL);
}
