// A flag is set and taken back: who waits for it may miss it.  Result: endless run.
// -DCOUNTS: a number that only grows is not missed: correct.
// -DANSWERED: it is taken back after an answer only: correct.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int pulse, answer;

static void *give(void *arg)
{
    pulse++;
#ifdef ANSWERED
    while (!answer)
        ;
#endif
#ifndef COUNTS
    pulse = 0;
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, give, NULL);
    while (!pulse)
        ;
    answer = 1;
    pthread_join(thread, NULL);
}
