// Yielding and sleeping order nothing: what is printed stays a race.
// Result: data race.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static int value;

static void *work(void *arg)
{
    value = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    sleep(1);
    sched_yield();
    int seen = value;
    pthread_join(t, NULL);
    return seen ? 0 : 0;
}
