// What a pthread_t leads to is the kernel's: the program must not write there, in whatever way.
// Result: memory error.
// -DSECTION in an atomic section: memory error.  -DBLOCK by memset: memory error.
// -DREAD reads only: memory error.  -DATOMIC atomically: memory error.
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
#ifdef SECTION
    divm_atomic_begin();
    *(int *)id = 0;
    divm_atomic_end();
#elif defined BLOCK
    memset(id, 0, sizeof id);
#elif defined READ
    return *(volatile int *)id;
#elif defined ATOMIC
    atomic_store((atomic_int *)id, 0);
#else
    *(int *)id = 0;
#endif
    pthread_join(id, NULL);
    return 0;
}
