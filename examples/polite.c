/* Two people meet in a corridor.  Each steps aside for the other, and back, at the same moment,
 * again and again: every thread goes on, and nobody gets through.
 *
 * docs/QUERIES.md shows the run.  Result: livelock.
 * -DRANKS: the first one stays, and the second one waits for him to pass: correct.
 * Options: --fair */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int in_way[2];

static void *walk(void *arg)
{
    int me = arg != NULL, other = !me;
    in_way[me] = 1;
    while (in_way[other]) {
#ifdef RANKS
        if (me == 0)
            continue;
#endif
        in_way[me] = 0;
#ifdef RANKS
        while (in_way[other])
            ;
#endif
        in_way[me] = 1;
    }
    in_way[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t person;
    pthread_create(&person, NULL, walk, &person);
    walk(NULL);
    pthread_join(person, NULL);
    return 0;
}
