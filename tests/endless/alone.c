// Nobody but main is there, and looks again and again at what it has itself stored by a weaker
// order; each look is one more access in the single order of seq_cst.
// Result: endless run.  -DJOINED has had another thread: endless run.
// -DROUNDS looks a few thousand times: correct.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *finish(void *arg)
{
    atomic_fetch_add_explicit(&done, 1, memory_order_release);
    return arg;
}

int main(void)
{
#ifdef JOINED
    pthread_t thread;
    pthread_create(&thread, NULL, finish, NULL);
    pthread_join(thread, NULL);
#else
    finish(NULL);
#endif
#ifdef ROUNDS
    for (int k = 0; k < 3000 && done == 1; k++) {
    }
#else
    while (done == 1) {
    }
#endif
    return 0;
}
