/* A thread is in one line while none is in the next: both are places.  Result: assertion
 * violation.
 * Options: --never='at(next_lines.c:15)@2 && !at(next_lines.c:16)'
 * Expect: forbidden state: at\(next_lines.c:15\)@2 && !at\(next_lines.c:16\) */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *count(void *arg)
{
    int old;
    pthread_mutex_lock(&mutex);
    old = n;
    n = old + 1;
    n = n + 1;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    return 0;
}
