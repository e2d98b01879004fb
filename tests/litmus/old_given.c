// Two threads add what they are given.  That they are twins does not depend on how many objects
// are older than they: as many as -DMANY says have no more states (run.py --pass alike).  Main
// makes what it gives just before it starts a thread, or with -DBEFORE first of all. Result:
// correct. -DBEFORE: correct.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef MANY
#define MANY 1
#endif

static int *many[MANY], *before[2];
static atomic_int sum;

static int *make(int n)
{
    int *made = malloc(sizeof *made);
    *made = n;
    return made;
}

static void *add(void *arg)
{
    const int *given = arg;
    for (int k = 0; k < 3; k++)
        sum += *given;
    free(arg);
    return NULL;
}

static int *give(int k)
{
    sum++;
#ifdef BEFORE
    int *given = before[k];
    before[k] = NULL;
    return given;
#else
    (void)k;
    return make(1);
#endif
}

int main(void)
{
    pthread_t thread[2];
    for (int k = 0; k < MANY; k++)
        many[k] = make(k + 2);
#ifdef BEFORE
    for (int k = 0; k < 2; k++)
        before[k] = make(1);
#endif
    for (int k = 0; k < 2; k++)
        pthread_create(&thread[k], NULL, add, give(k));
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
    for (int k = 0; k < MANY; k++)
        free(many[k]);
    return 0;
}
