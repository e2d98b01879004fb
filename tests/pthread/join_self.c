// A thread joins itself.  Result: pthread misuse.
#include <pthread.h>

int main(void)
{
    pthread_join(pthread_self(), NULL);
    return 0;
}
