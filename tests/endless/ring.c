// A ring of two places between a producer and a consumer, who spin.  Result: correct.
// -DFEWER has the consumer take one less than the producer gives beyond the ring's room:
// endless run. -DUNREAD leaves one in the ring, which has room for it: correct.
#include <pthread.h>
#include <stdatomic.h>

enum { ROOM = 2, ITEMS = 3 };
static atomic_uint head, tail;

static void *produce(void *arg)
{
#ifdef FEWER
    const unsigned items = ITEMS + ROOM;
#else
    const unsigned items = ITEMS;
#endif
    for (unsigned i = 0; i < items; i++) {
        while (tail - head == ROOM)
            ;
        tail++;
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
#if defined FEWER || defined UNREAD
    const unsigned items = ITEMS - 1;
#else
    const unsigned items = ITEMS;
#endif
    for (unsigned i = 0; i < items; i++) {
        while (tail == head)
            ;
        head++;
    }
    pthread_join(thread, NULL);
}
