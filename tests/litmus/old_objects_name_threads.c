// Many objects are older than the threads, and one or another of them has a thread's handle:
// it tells twins apart, wherever it was when these became twins.
// Result: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { OBJECTS = 400, APART = 100 };

static struct node {
    struct node *next;
    pthread_t thread;
    int has;
} *first;
static atomic_int counter;

static void *work(void *arg)
{
    for (int s = 0; s < 3; s++)
        counter++;
    return arg;
}

static struct node *add(void)
{
    struct node *n = malloc(sizeof *n);
    *n = (struct node){.next = first};
    return first = n;
}

static void begin(struct node *n)
{
    pthread_create(&n->thread, NULL, work, NULL);
    n->has = 1;
}

static int end_all(struct node *n, int most)
{
    int ended = 0;
    for (; n && ended < most; n = n->next)
        if (n->has) {
            pthread_join(n->thread, NULL);
            n->has = 0;
            ended++;
        }
    return ended;
}

int main(void)
{
    for (int k = 0; k < OBJECTS; k++)
        add();
    struct node *n = first;
    begin(n);
    for (int k = 0; k < APART; k++)
        n = n->next;
    begin(n);
    add();
    assert(end_all(first, 1) == 1);
    begin(add());
    assert(end_all(first, OBJECTS) == 2);
    assert(counter == 9);
    while ((n = first)) {
        first = n->next;
        free(n);
    }
    return 0;
}
