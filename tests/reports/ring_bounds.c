// Two producers look for room, and then put: both may find the last slot.
// Result: memory error.
// Learned: head is one too far when the second producer writes, and that slot ends before it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SLOTS = 2 };

static int *slot;
static atomic_int head;

static void *producer(void *arg)
{
    if (atomic_load(&head) < SLOTS)
        slot[atomic_fetch_add(&head, 1)] = 1;
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    slot = calloc(SLOTS, sizeof *slot);
    if (!slot)
        return 0;
    slot[atomic_fetch_add(&head, 1)] = 7;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, producer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(slot);
    return 0;
}
