// A stack whose top has a tag, and padding behind it, which nobody sets.  An exchange that has
// failed tells what is there, so that the next one can succeed.
// Result: correct.
// -DUNTAGGED has a thread take a node that came back meanwhile: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
};
struct top {
    struct node *node;
    unsigned tag;
};

static struct node nodes[2];
static _Atomic struct top top;

static void push(struct node *node)
{
    struct top old = atomic_load(&top), fresh;
    do {
        node->next = old.node;
        fresh.node = node;
#ifdef UNTAGGED
        fresh.tag = 0;
#else
        fresh.tag = old.tag + 1;
#endif
    } while (!atomic_compare_exchange_strong(&top, &old, fresh));
}

static struct node *pop(void)
{
    struct top old = atomic_load(&top), fresh;
    do {
        if (!old.node)
            return NULL;
        fresh.node = old.node->next;
        fresh.tag = old.tag;
    } while (!atomic_compare_exchange_weak(&top, &old, fresh));
    return old.node;
}

static void *pops(void *arg)
{
    struct node *node = pop();
    return node ? node : arg;
}

int main(void)
{
    pthread_t thread;
    push(&nodes[0]);
    push(&nodes[1]);
    pthread_create(&thread, NULL, pops, NULL);
    struct node *a = pop(), *b = pop();
    if (a)
        push(a);
    void *other;
    pthread_join(thread, &other);
    struct node *c = pop(), *d = pop();
    assert(!c || (c != d && c != b && c != other));
    assert(!d || (d != b && d != other));
    return 0;
}
