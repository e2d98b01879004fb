// A mutex is unlocked that nobody holds.  Result: pthread misuse.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_unlock(&lock);
    return 0;
}
