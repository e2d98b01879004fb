// Many objects are older than the threads, which hang new ones on them, take them off
// again, and free old ones.  In which order the old ones were made makes no difference.
//
// Result: correct.  -DLEAK_OLD: memory error.  -DLEAK_NEW: memory error.  -DSTALE: memory
// error. -DTWICE: memory error.  -DVALUE: assertion violation.
#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MANY = 300 };

struct node {
    struct node *next, *_Atomic extra;
    atomic_int value;
};

static struct node *list;
static atomic_int turn;

static struct node *make(struct node *next)
{
    struct node *n = calloc(1, sizeof *n);
    n->next = next;
    return n;
}

static struct node *at(int k)
{
    struct node *n = list;
    while (k-- > 0)
        n = n->next;
    return n;
}

static void *hang(void *arg)
{
    struct node *old = arg, *new = make(NULL);
    new->value = 1 + atomic_fetch_add(&turn, 1);
    old->extra = new;
    old->value += new->value;
    return NULL;
}

static void *replace(void *arg)
{
    struct node *old = arg, *after = old->next, *new = make(after->next);
    new->value = after->value + atomic_fetch_add(&turn, 1);
    old->next = new;
#ifndef LEAK_OLD
    free(after);
#endif
#ifdef TWICE
    free(after);
#endif
    return NULL;
}

static void clear(void)
{
    for (struct node *n = list, *next; n; n = next) {
        next = n->next;
#ifndef LEAK_NEW
        free(n->extra);
#endif
        free(n);
    }
}

int main(void)
{
    pthread_t t[2];
    void *big = divm_choose(2) ? malloc(100) : NULL;
    for (int k = 0; k < MANY; k++)
        list = make(list);
    if (!big)
        big = malloc(100);
    struct node *stale = at(11);
    pthread_create(&t[0], NULL, hang, at(3));
    pthread_create(&t[1], NULL, replace, at(10));
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    free(big);
#ifdef STALE
    stale->value++;
#else
    (void)stale;
#endif
#ifdef VALUE
    assert(at(11)->value == 0);
#else
    assert(at(11)->value + at(3)->value == 2);
#endif
    clear();
    return 0;
}
