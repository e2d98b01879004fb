// What a thread has done that was joined is known to who joined it, and to nobody else: the
// third thread is told by a relaxed flag.  Result: data race. -DRELEASED has a release store
// and an acquire load: correct.
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASED
#define GIVE memory_order_release
#define TAKE memory_order_acquire
#else
#define GIVE memory_order_relaxed
#define TAKE memory_order_relaxed
#endif

static int x;
static atomic_int flag;

static void *write_it(void *arg)
{
    x = 1;
    return arg;
}

static void *look(void *arg)
{
    if (atomic_load_explicit(&flag, TAKE))
        x = 2;
    return arg;
}

int main(void)
{
    pthread_t writer, reader;
    pthread_create(&reader, NULL, look, NULL);
    pthread_create(&writer, NULL, write_it, NULL);
    pthread_join(writer, NULL);
    atomic_store_explicit(&flag, 1, GIVE);
    pthread_join(reader, NULL);
    return 0;
}
