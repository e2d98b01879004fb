// A thread function without a return statement that may be cancelled, and one that is alone at
// the end.  Result: correct.
// Options: -Xclang -w
#include <pthread.h>
#include <stddef.h>

static void *wait(void *arg)
{
    (void)arg;
    pthread_testcancel();
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    pthread_create(&thread, NULL, wait, NULL);
    pthread_exit(NULL);
}
