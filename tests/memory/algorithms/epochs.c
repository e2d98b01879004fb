// Reclamation by epochs: a reader tells the epoch in which it reads; the writer releases an old
// object when no reader is left that began before the object was replaced.  Result: correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_acquire /* load: what was replaced before is not found */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_seq_cst /* fence: the epoch is told before the object is read */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_acquire /* load: the object has been written */
#endif
#ifndef ORDER_4
#define ORDER_4 memory_order_release /* store: the object is read */
#endif
#ifndef ORDER_5
#define ORDER_5 memory_order_release /* store: the new object is written */
#endif
#ifndef ORDER_6
#define ORDER_6 memory_order_release /* store: the old object is replaced in the new epoch */
#endif
#ifndef ORDER_7
#define ORDER_7 memory_order_seq_cst /* fence: replaced before the reader is looked at */
#endif
#ifndef ORDER_8
#define ORDER_8 memory_order_acquire /* load: the object has been read */
#endif
#ifndef ORDER_9
#define ORDER_9 memory_order_release /* store: what was read before is read */
#endif

static _Atomic(int *) current;
static atomic_int epoch = 1, reads; /* the epoch in which the reader reads, 0: it does not */
static int *kept;

static int *make(int value)
{
    int *object = malloc(sizeof *object);
    if (!object)
        abort();
    *object = value;
    return object;
}

static void *reader(void *arg)
{
    for (int k = 0; k < 2; k++) {
        STORE(reads, LOAD(epoch, ORDER_1), ORDER_9);
        atomic_thread_fence(ORDER_2);
        int *object = LOAD(current, ORDER_3);
        assert(*object == 1 || *object == 2);
        STORE(reads, 0, ORDER_4);
    }
    return arg;
}

static void *writer(void *arg)
{
    int *old = LOAD(current, RELAXED);
    STORE(current, make(2), ORDER_5);
    STORE(epoch, 2, ORDER_6);
    atomic_thread_fence(ORDER_7);
    if (LOAD(reads, ORDER_8) == 1)
        kept = old;
    else
        free(old);
    return arg;
}

int main(void)
{
    atomic_init(&current, make(1));
    run(2, (void *(*const[])(void *)){reader, writer});
    free(kept);
    free(LOAD(current, RELAXED));
    return 0;
}
