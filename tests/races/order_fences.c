// Fences order what relaxed accesses between them pass on (C11 7.17.4).  Result: correct.
// -DNO_RELEASE and -DNO_ACQUIRE lack one of them: data race.
// -DTOO_EARLY has the release fence before what it is to publish: data race.
// -DTOO_LATE has the acquire fence after what it is to protect: data race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int flag;

static void *writer(void *arg)
{
#ifdef TOO_EARLY
    atomic_thread_fence(memory_order_release);
#endif
    message = 1;
#if !defined NO_RELEASE && !defined TOO_EARLY
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
#if !defined NO_ACQUIRE && !defined TOO_LATE
        atomic_thread_fence(memory_order_acquire);
#endif
        assert(message == 1);
#ifdef TOO_LATE
        atomic_thread_fence(memory_order_acquire);
#endif
    }
    pthread_join(t, NULL);
    return 0;
}
