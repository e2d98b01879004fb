// A thread that waits in a loop notes in each round what it has seen, in a variable that others
// can reach, and what it waits for never comes. Result: endless run. -DCOMES stores it:
// correct. -DCOUNTS counts the rounds up to three, and what it waits for comes: correct.
#include <pthread.h>
#include <stdatomic.h>

#if defined COMES || defined COUNTS
#define LAST 3
#else
#define LAST 2
#endif

static atomic_int level;
static int seen, rounds;

static void *watch(void *arg)
{
    do {
        seen = atomic_load_explicit(&level, memory_order_acquire);
#ifdef COUNTS
        rounds += rounds < 3;
#endif
    } while (seen < 3);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    for (int k = 1; k <= LAST; k++)
        atomic_store_explicit(&level, k, memory_order_release);
    pthread_join(thread, NULL);
    return seen == 3 && rounds <= 3 ? 0 : 1;
}
