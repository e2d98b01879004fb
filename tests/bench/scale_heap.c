// Two threads count in an atomic, beside OBJECTS live objects that main has made: a list, or
// with -DTREE a search tree, or with -DTABLE a hash table.  With -DCHANGE each thread also
// changes one of the objects at each of its STEPS.  Result: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef OBJECTS
#define OBJECTS 100
#endif
#ifndef STEPS
#define STEPS 10
#endif

struct node {
    struct node *next, *left, *right;
    int key, value;
};

enum { BUCKETS = OBJECTS / 2 + 1 };

static struct node *first;
static atomic_int counter;

#ifdef TREE

static struct node *make(int from, int to)
{
    if (from == to)
        return NULL;
    struct node *n = malloc(sizeof *n);
    int middle = (from + to) / 2;
    *n = (struct node){.key = middle};
    n->left = make(from, middle);
    n->right = make(middle + 1, to);
    return n;
}

static void build(void)
{
    first = make(0, OBJECTS);
}

static struct node *find(int key)
{
    struct node *n = first;
    while (n->key != key)
        n = key < n->key ? n->left : n->right;
    return n;
}

static void drop(struct node *n)
{
    if (!n)
        return;
    drop(n->left);
    drop(n->right);
    free(n);
}

static void clear(void)
{
    drop(first);
}

#elif defined TABLE

static struct node *bucket[BUCKETS];

static void build(void)
{
    for (int k = 0; k < OBJECTS; k++) {
        struct node *n = malloc(sizeof *n);
        *n = (struct node){.key = k, .next = bucket[k % BUCKETS]};
        bucket[k % BUCKETS] = n;
    }
}

static struct node *find(int key)
{
    struct node *n = bucket[key % BUCKETS];
    while (n->key != key)
        n = n->next;
    return n;
}

static void clear(void)
{
    for (int b = 0; b < BUCKETS; b++)
        for (struct node *n = bucket[b], *next; n; n = next) {
            next = n->next;
            free(n);
        }
}

#else

static void build(void)
{
    for (int k = OBJECTS; k-- > 0;) {
        struct node *n = malloc(sizeof *n);
        *n = (struct node){.key = k, .next = first};
        first = n;
    }
}

static struct node *find(int key)
{
    struct node *n = first;
    while (n->key != key)
        n = n->next;
    return n;
}

static void clear(void)
{
    for (struct node *n = first, *next; n; n = next) {
        next = n->next;
        free(n);
    }
}

#endif

static void *work(void *arg)
{
#ifdef CHANGE
    struct node *const start = arg;
    for (int s = 0; s < STEPS; s++) {
        find(start->key)->value++;
        atomic_fetch_add(&counter, 1);
    }
#else
    for (int s = 0; s < STEPS; s++)
        atomic_fetch_add(&counter, 1);
#endif
    return arg;
}

int main(void)
{
    pthread_t t[2];
    build();
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, work, find(k));
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    assert(counter == 2 * STEPS);
    clear();
    return 0;
}
