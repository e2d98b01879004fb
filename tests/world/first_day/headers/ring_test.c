/* One puts pointers into a ring of Concurrency Kit's, one takes them out. */
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stddef.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int items[2];

static void *put(void *arg)
{
    for (int k = 0; k < 2; k++)
        assert(ck_ring_enqueue_spsc(&ring, buffer, &items[k]));
    return arg;
}

int main(void)
{
    pthread_t thread;
    void *item;
    int n = 0;
    ck_ring_init(&ring, 4);
    pthread_create(&thread, NULL, put, NULL);
    if (ck_ring_dequeue_spsc(&ring, buffer, &item))
        assert(item == &items[n++]);
    pthread_join(thread, NULL);
    while (ck_ring_dequeue_spsc(&ring, buffer, &item))
        assert(item == &items[n++]);
    assert(n == 2);
    return 0;
}
