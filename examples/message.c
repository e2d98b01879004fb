// A message is passed by a flag, but relaxed accesses of the flag do not order what is written
// before with what is read behind.  Result: data race.
// -DFIXED has the orders that are needed: correct.
// Expect: data race: reader at message.c:@read .read of message. and writer at message.c:@write
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define SEND memory_order_release
#define RECEIVE memory_order_acquire
#else
#define SEND memory_order_relaxed
#define RECEIVE memory_order_relaxed
#endif

static int message;
static atomic_int flag;

static void *writer(void *arg)
{
    message = 42; // @write
    atomic_store_explicit(&flag, 1, SEND);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_load_explicit(&flag, RECEIVE))
        assert(message == 42); // @read
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
