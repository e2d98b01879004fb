// Who waits for a flag in a local variable and returns ends the variable: the store that set
// the flag has to happen before that. Result: memory error.
// Expect: a variable: start at end_relaxed.c:@end .end of flag of start. and set at end_relaxed.c:@store .atomic access
// -DORDERED the store is released and acquired: correct.
// -DEXIT the waiting thread ends by pthread_exit, and its variable with it: memory error.
// -DPLAIN the other thread had accessed another part of the variable plainly: memory error.
// -DJOINED the thread that stored has ended, and was joined: correct.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct flag {
    atomic_int done;
    int value;
};

static void *set(void *arg)
{
    struct flag *flag = arg;
#ifdef PLAIN
    flag->value = 1;
#endif
#ifdef ORDERED
    atomic_store_explicit(&flag->done, 1, memory_order_release);
#else
    atomic_store_explicit(&flag->done, 1, memory_order_relaxed); // @store
#endif
    return NULL;
}

__attribute__((noinline)) static void start(pthread_t *thread)
{
    struct flag flag = {0};
    pthread_create(thread, NULL, set, &flag);
    while (!atomic_load_explicit(&flag.done, memory_order_acquire))
        ;
#ifdef EXIT
    pthread_exit(NULL);
#endif
#ifdef JOINED
    pthread_join(*thread, NULL);
#endif
} // @end

int main(void)
{
    pthread_t thread;
    start(&thread);
#ifndef JOINED
    pthread_join(thread, NULL);
#endif
}
