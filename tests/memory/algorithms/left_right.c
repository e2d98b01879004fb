// Left-right (Ramalhete and Correia, 2015): a map in two copies, of which readers read one
// while the writer changes the other; readers never wait.  Result: correct.
#include "algorithm.h"

#ifndef ORDER_1
#define ORDER_1 memory_order_seq_cst /* rmw: arrived before the copy is looked up */
#endif
#ifndef ORDER_2
#define ORDER_2 memory_order_seq_cst /* load: the copy has been written */
#endif
#ifndef ORDER_3
#define ORDER_3 memory_order_release /* rmw: the reader is done */
#endif
#ifndef ORDER_4
#define ORDER_4 memory_order_seq_cst /* store: the copy is written, before readers are read */
#endif
#ifndef ORDER_5
#define ORDER_5 memory_order_seq_cst /* load: no reader of the other version is left */
#endif
#ifndef ORDER_6
#define ORDER_6 memory_order_release /* store: the next version has the new copy */
#endif
#ifndef ORDER_7
#define ORDER_7 memory_order_seq_cst /* load: no reader of the last version is left */
#endif
#ifndef ORDER_8
#define ORDER_8 memory_order_acquire /* load: the copy of this version is known */
#endif

static int map[2][2]; /* copy, key */
static atomic_int copy, version, readers[2];

static void *reader(void *arg)
{
    int mine = LOAD(version, ORDER_8);
    ADD(readers[mine], 1, ORDER_1);
    int *now = map[LOAD(copy, ORDER_2)];
    int first = now[0];
    assert(first == now[1]);
    ADD(readers[mine], -1, ORDER_3);
    return arg;
}

static void change(int *one)
{
    one[0]++;
    one[1]++;
}

static void *writer(void *arg)
{
    int now = LOAD(copy, RELAXED), last = LOAD(version, RELAXED);
    change(map[1 - now]);
    STORE(copy, 1 - now, ORDER_4);
    while (LOAD(readers[1 - last], ORDER_5))
        ;
    STORE(version, 1 - last, ORDER_6);
    while (LOAD(readers[last], ORDER_7))
        ;
    change(map[now]);
    return arg;
}

int main(void)
{
    run(2, (void *(*const[])(void *)){reader, writer});
    assert(map[0][0] == 1 && map[1][1] == 1);
    return 0;
}
