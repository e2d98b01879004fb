// A release fence orders what comes before it: an object that is made, filled, and published by
// a relaxed store after it is published without any order. Result: data race.
// Expect: data race: reader at order_fenced_earlier.c:@read \(read of .*data\) and main at order_fenced_earlier.c:@write \(write\)
// -DATOMIC what is read is atomic, and was made before the reader began: assertion violation.
// -DBETWEEN the object is filled before the fence: correct.
// -DAGAIN the fence is there for the first of two objects: data race.
// -DSTRONG the fence is seq_cst: data race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
#ifdef ATOMIC
    atomic_int data;
#else
    int data;
#endif
};

static _Atomic(struct box *) published;

static void *reader(void *arg)
{
    struct box *b = atomic_load_explicit(&published, memory_order_acquire);
    if (b) {
#ifdef ATOMIC
        int data = atomic_load_explicit(&b->data, memory_order_relaxed);
#else
        int data = b->data; // @read
#endif
        assert(data == 1);
    }
    return arg;
}

static void fence(void)
{
#ifdef STRONG
    atomic_thread_fence(memory_order_seq_cst);
#else
    atomic_thread_fence(memory_order_release);
#endif
}

static void publish(struct box *b)
{
    atomic_store_explicit(&published, b, memory_order_relaxed);
}

int main(void)
{
    pthread_t thread;
    struct box *first = calloc(1, sizeof *first), *b = first;
    if (!first)
        abort();
    pthread_create(&thread, NULL, reader, NULL);
#ifdef ATOMIC
    fence();
    atomic_store_explicit(&b->data, 1, memory_order_relaxed);
#elif defined AGAIN
    b->data = 1;
    fence();
    publish(b);
    b = malloc(sizeof *b);
    if (!b)
        abort();
    b->data = 1; // write again
#elif defined BETWEEN
    b->data = 1;
    fence();
#else
    fence();
    b->data = 1; // @write
#endif
    publish(b);
    pthread_join(thread, NULL);
    if (b != first)
        free(b);
    free(first);
}
