// Each thread has its own thread-local variables, with their initial values.
// Result: correct.
// -DESCAPE one uses another's after it has ended: memory error.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int mine = 5;
static _Thread_local int zero;
static _Thread_local char text[4] = "abc";
static _Atomic(int *) escaped;

static void *work(void *arg)
{
    assert(mine == 5 && zero == 0 && text[2] == 'c');
    mine += *(int *)arg;
    zero = 1;
    text[0] = 'x';
    atomic_store(&escaped, &mine);
    assert(mine == 5 + *(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    mine = 100;
    pthread_create(&a, NULL, work, &one);
    pthread_create(&b, NULL, work, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(mine == 100 && zero == 0 && text[0] == 'a');
#ifdef ESCAPE
    return *atomic_load(&escaped) == 0;
#endif
    return 0;
}
