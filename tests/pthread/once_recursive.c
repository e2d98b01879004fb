// The function calls pthread_once for itself.  Result: deadlock.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void)
{
    pthread_once(&once, init);
}

int main(void)
{
    pthread_once(&once, init);
    return 0;
}
