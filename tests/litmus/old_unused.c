// A local variable that is not used any more is no part of a state, also where it is older than
// the second thread and many objects are: what it holds depends on how far the others have
// come. Result: correct.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MANY = 300 };

static void *many[MANY];
static atomic_int turns, seen;

static void *turn(void *arg)
{
    turns++;
    turns++;
    return arg;
}

static void look(int *at)
{
    *at = turns;
}

int main(void)
{
    pthread_t thread;
    int found = 0;
    for (int k = 0; k < MANY; k++)
        many[k] = malloc(1);
    look(&found);
    pthread_create(&thread, NULL, turn, NULL);
    look(&found);
    seen = 1;
    pthread_join(thread, NULL);
    for (int k = 0; k < MANY; k++)
        free(many[k]);
    return 0;
}
