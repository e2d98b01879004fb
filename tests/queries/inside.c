/* A plain variable has another value for a moment, in a locked section.  Result: assertion
 * violation.
 * Options: --never='total % 2'
 * Expect: forbidden state: total % 2, with total = 1
 * Expect: [0-9]+: write total = 1 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *arg)
{
    pthread_mutex_lock(&lock);
    total++;
    total++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, add, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    return total != 4;
}
