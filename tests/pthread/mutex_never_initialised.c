// A mutex on the heap is never initialised.  Result: undefined value.
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_mutex_t *lock = malloc(sizeof *lock);
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    free(lock);
    return 0;
}
