// Hazard pointers (Michael, 2004): a reader names the object that it is about to read and looks
// whether it is still the current one; the writer releases an old object only if none names it.
// Result: correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_seq_cst /* fence: the object is named before it is read again */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_acquire /* load: the object has been written */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_release /* store: the object is read */
#endif
#ifndef ORDER_4
#define ORDER_4 memory_order_release /* store: the new object is written */
#endif
#ifndef ORDER_5
#define ORDER_5 memory_order_seq_cst /* fence: it is replaced before names are looked at */
#endif
#ifndef ORDER_6
#define ORDER_6 memory_order_acquire /* load: the object has been read */
#endif

static _Atomic(int *) current, named;
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
    int *object, *again = LOAD(current, RELAXED);
    do {
        object = again;
        STORE(named, object, RELAXED);
        atomic_thread_fence(ORDER_1);
        again = LOAD(current, ORDER_2);
    } while (again != object);
    assert(*object == 1 || *object == 2);
    STORE(named, NULL, ORDER_3);
    return arg;
}

static void *writer(void *arg)
{
    int *old = LOAD(current, RELAXED);
    STORE(current, make(2), ORDER_4);
    atomic_thread_fence(ORDER_5);
    if (LOAD(named, ORDER_6) == old)
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
