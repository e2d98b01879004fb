// A count of references that is decremented relaxed orders nothing: what another thread has
// done to the object need not have come before its end.  All that it did is atomic. Result:
// memory error.
// Expect: use: drop at free_relaxed_count.c:@free .free of object#1. and drop at free_relaxed_count.c:@count .atomic access
// -DORDER=memory_order_release who frees the object acquires nothing: memory error.
// -DLOAD so it is if the object is only looked at: memory error.
// -DAPART the count is elsewhere, so that all accesses of the object are loads: memory error.
// Expect-APART: use: drop at free_relaxed_count.c:@free .free of object#1. and drop at free_relaxed_count.c:@load .atomic access
// -DUNMAPPED the object is in memory of mmap, which is unmapped: memory error.
// -DORDER=memory_order_acq_rel: correct.
// -DFENCE a release, and a fence that acquires: correct.
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifdef FENCE
#define ORDER memory_order_release
#elif !defined ORDER
#define ORDER memory_order_relaxed
#endif

struct object {
    atomic_int count, uses;
};

static struct object *object;
#ifdef APART
#define LOAD
static atomic_int count = 2;
#else
#define count object->count
#endif

static void *drop(void *arg)
{
#ifdef LOAD
    (void)atomic_load_explicit(&object->uses, memory_order_relaxed); // @load
#else
    atomic_fetch_add_explicit(&object->uses, 1, memory_order_relaxed);
#endif
    if (atomic_fetch_sub_explicit(&count, 1, ORDER) == 1) { // @count
#ifdef FENCE
        atomic_thread_fence(memory_order_acquire);
#endif
#ifdef UNMAPPED
        munmap(object, sizeof *object);
#else
        free(object); // @free
#endif
    }
    return arg;
}

int main(void)
{
    pthread_t one, two;
#ifdef UNMAPPED
    object =
        mmap(NULL, sizeof *object, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (object == MAP_FAILED)
        abort();
#else
    object = malloc(sizeof *object);
    if (!object)
        abort();
#endif
    atomic_init(&count, 2);
    atomic_init(&object->uses, 0);
    pthread_create(&one, NULL, drop, NULL);
    pthread_create(&two, NULL, drop, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
