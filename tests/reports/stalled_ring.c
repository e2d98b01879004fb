// A producer spins for room in a ring of two places, and the consumer takes one item too few.
// Result: endless run. Learned: the consumer took item 0 and waits in line 34; the ring is
// full with 1 and 2, so the producer spins in line 15 for a fourth place.
#include <pthread.h>
#include <stdatomic.h>

enum { ROOM = 2, ITEMS = 4, TAKEN = ITEMS - ROOM - 1 };

atomic_uint head, tail;
int ring[ROOM];

void *produce(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        while (atomic_load(&tail) - atomic_load(&head) == ROOM)
            ;
        ring[tail % ROOM] = i;
        atomic_fetch_add(&tail, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    for (int i = 0; i < TAKEN; i++) {
        while (atomic_load(&tail) == atomic_load(&head))
            ;
        if (ring[head % ROOM] != i)
            return 1;
        atomic_fetch_add(&head, 1);
    }
    pthread_join(producer, 0);
    return 0;
}
