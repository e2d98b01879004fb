// A lock-free stack whose pop compares pointers only: a node that was taken and put back
// passes for the old one.  Result: assertion violation.
// Learned: the compare-exchange that succeeds though the stack has changed below the top.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
    int value;
};

static struct node nodes[3];
static struct node *_Atomic top;

static void push(struct node *node)
{
    struct node *old = atomic_load(&top);
    do
        atomic_store(&node->next, old);
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

static struct node *pop(void)
{
    struct node *old = atomic_load(&top);
    while (old) {
        struct node *next = atomic_load(&old->next);
        if (atomic_compare_exchange_strong(&top, &old, next))
            return old;
    }
    return NULL;
}

static atomic_int taken[3];

static void use(struct node *node)
{
    if (node)
        assert(atomic_fetch_add(&taken[node->value], 1) == 0);
}

static void *slow(void *arg)
{
    use(pop());
    use(pop());
    return arg;
}

static void *quick(void *arg)
{
    struct node *first = pop();
    use(pop());
    if (first)
        push(first);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    for (int i = 2; i >= 0; i--) {
        nodes[i].value = i;
        push(&nodes[i]);
    }
    pthread_create(&a, NULL, slow, NULL);
    pthread_create(&b, NULL, quick, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
