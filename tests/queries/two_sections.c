/* What two threads do in their sections never happens at once, and each local variable keeps
 * its bounds.  Result: correct.
 * -DBUG forgets a lock: assertion violation.
 * Options: --never='inside > 1' --never='work::mine > 2 || work::mine < 0' --reach='inside == 1 && at(two_sections.c:23)@3 && at(two_sections.c:23)@2 && false'
 * Expect: is never true
 * Expect-BUG: forbidden state: inside > 1 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;

static void *work(void *arg)
{
    int mine = 0;
    for (int k = 0; k < 2; k++) {
#ifndef BUG
        pthread_mutex_lock(&lock);
#endif
        inside++;
        mine++;
        inside--;
#ifndef BUG
        pthread_mutex_unlock(&lock);
#endif
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, work, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    return 0;
}
