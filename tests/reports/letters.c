// Two threads count in two steps, in a program whose names have letters beyond ASCII.
// Result: assertion violation.
// Learned: which of the two stores comes too late; long names do not move the columns.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct größe {
    int höhe;
    atomic_int zähler;
} größe;
pthread_mutex_t schloß = PTHREAD_MUTEX_INITIALIZER;

static void *zähle_Bäume_und_Sträucher(void *arg)
{
    pthread_mutex_lock(&schloß);
    größe.höhe++;
    pthread_mutex_unlock(&schloß);
    int vorher = atomic_load(&größe.zähler);
    atomic_store(&größe.zähler, vorher + 1);
    return arg;
}

int main(void)
{
    pthread_t fäden[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&fäden[i], 0, zähle_Bäume_und_Sträucher, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(fäden[i], 0);
    assert(größe.zähler == 2);
    return 0;
}
