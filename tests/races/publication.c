// An object is filled, then published by an atomic pointer: whoever sees the
// pointer sees the contents.  Result: correct.
// -DPLAIN the pointer is a plain variable: data race.
// -DLATE the object is changed after it was published: data race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
    int value;
};

#ifdef PLAIN
static struct box *published;
#else
static _Atomic(struct box *) published;
#endif

static void *fill(void *arg)
{
    struct box *b = malloc(sizeof *b);
    if (!b)
        abort();
    b->value = 1;
    published = b;
#ifdef LATE
    b->value = 2;
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, fill, NULL);
    struct box *b = published;
    if (b)
        assert(b->value >= 1);
    pthread_join(t, NULL);
    free(published);
    return 0;
}
