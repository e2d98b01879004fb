// An object is made before a thread begins, and published after atomic stores to it: these race
// with nothing, and order what they say.
// -DREADY what was written before it is ready is read when it is: correct.
// -DFLAG the reader has learned of the write by other means than the pointer: correct.
// -DLOCAL the object is a local variable: correct.
// -DUPDATE the store is a read-modify-write: correct.
// -DOLD the reader may find the value before the store: assertion violation.
// -DLATE the object is made after the thread began, and nothing orders that: data race.
// Result: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
    atomic_int value;
    int data;
};

static _Atomic(struct box *) published;
static atomic_int flag;

static void *reader(void *arg)
{
#ifdef FLAG
    if (!atomic_load_explicit(&flag, memory_order_acquire))
        return arg;
#endif
    struct box *b = atomic_load_explicit(&published, memory_order_relaxed);
    if (!b)
        return arg;
#ifdef READY
    if (atomic_load_explicit(&b->value, memory_order_acquire))
        assert(b->data == 5);
#elif defined FLAG
    assert(b->data == 5);
#elif defined OLD
    int value = atomic_load_explicit(&b->value, memory_order_relaxed);
    assert(value == 1);
#else
    int value = atomic_load_explicit(&b->value, memory_order_relaxed);
    assert(value == 0 || value == 1);
#endif
    return arg;
}

static struct box *make(void)
{
    struct box *b = calloc(1, sizeof *b);
    if (!b)
        abort();
    return b;
}

int main(void)
{
    pthread_t thread;
#ifdef LOCAL
    struct box local = {0}, *b = &local;
#elif !defined LATE
    struct box *b = make();
#endif
    pthread_create(&thread, NULL, reader, NULL);
#ifdef LATE
    struct box *b = make();
#endif
#if defined READY || defined FLAG
    b->data = 5;
#endif
#ifdef UPDATE
    atomic_fetch_add_explicit(&b->value, 1, memory_order_relaxed);
#elif defined READY
    atomic_store_explicit(&b->value, 1, memory_order_release);
#else
    atomic_store_explicit(&b->value, 1, memory_order_relaxed);
#endif
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&published, b, memory_order_relaxed);
    pthread_join(thread, NULL);
#ifndef LOCAL
    free(b);
#endif
}
