/* A deque of tasks, of which the owner takes from one end and eight thieves from the other
 * (Chase and Lev 2005).  The owner does not compete for the last task as it must: it can
 * be taken twice.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THIEVES = 8, TASKS = 6, EMPTY = -1 };

static atomic_int top, bottom;
static atomic_int tasks[TASKS];
static atomic_int done[TASKS];

static void push(int task)
{
    int at = atomic_load(&bottom);
    atomic_store(&tasks[at], task);
    atomic_store(&bottom, at + 1);
}

static int take(void)
{
    int at = atomic_load(&bottom) - 1;
    int first = atomic_load(&top); /* too early: before bottom is lowered */
    if (first > at)
        return EMPTY;
    atomic_store(&bottom, at);
    return atomic_load(&tasks[at]);
}

static int steal(void)
{
    int first = atomic_load(&top);
    if (first >= atomic_load(&bottom))
        return EMPTY;
    int task = atomic_load(&tasks[first]);
    return atomic_compare_exchange_strong(&top, &first, first + 1) ? task : EMPTY;
}

static void execute(int task)
{
    if (task != EMPTY)
        assert(atomic_fetch_add(&done[task], 1) == 0);
}

static void *thief(void *arg)
{
    execute(steal());
    return arg;
}

int main(void)
{
    pthread_t thread[THIEVES];
    for (int i = 0; i < TASKS; i++)
        push(i);
    for (int i = 0; i < THIEVES; i++)
        pthread_create(&thread[i], NULL, thief, NULL);
    for (int i = 0; i < TASKS; i++)
        execute(take());
    for (int i = 0; i < THIEVES; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
