// A barrier without pthread_barrier_init: zero threads.  Result: pthread misuse.
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void)
{
    pthread_barrier_wait(&barrier);
    return 0;
}
