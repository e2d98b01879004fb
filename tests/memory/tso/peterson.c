// Peterson's lock with volatile variables, as it was once written for x86: the other's flag is
// read while one's own still waits in the store buffer, and both are inside.  Result: data
// race. -DMFENCE with mfence in between: correct.
// Options: --memory=tso
// Expect: read flag\[[01]\] = 0, though thread [23]
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define FENCE() __asm__ volatile("" ::: "memory")
#ifdef MFENCE
#undef FENCE
#define FENCE() __asm__ volatile("mfence" ::: "memory")
#endif

static volatile int flag[2], turn;
static int inside;

static void *body(void *arg)
{
    int me = (int)(intptr_t)arg, other = 1 - me;
    flag[me] = 1;
    turn = other;
    FENCE();
    while (flag[other] && turn == other)
        continue;
    assert(++inside == 1);
    --inside;
    flag[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&thread[k], NULL, body, (void *)(intptr_t)k);
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
    return 0;
}
