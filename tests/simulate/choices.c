/* A protocol that resends: what is lost, and who is fast, is chosen.  A message that was
 * resent, and whose first copy comes late, is taken for the next one.
 * Result: assertion violation. */
#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>

enum { MESSAGES = 4, ROOM = 32 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int wire[ROOM], sent, taken;
static atomic_int acknowledged;

static void put(int message)
{
    pthread_mutex_lock(&lock);
    if (sent < ROOM)
        wire[sent++] = message;
    pthread_mutex_unlock(&lock);
}

static void *sender(void *arg)
{
    for (int i = 0; i < MESSAGES; i++) {
        put(i);
        for (int k = 0; k < 3 && atomic_load(&acknowledged) <= i; k++)
            if (divm_choose(4) == 0)
                put(i); /* it thinks that it was lost */
    }
    return arg;
}

static void *receiver(void *arg)
{
    int expected = 0;
    for (int k = 0; k < 3 * MESSAGES; k++) {
        pthread_mutex_lock(&lock);
        int message = taken < sent ? wire[taken++] : -1;
        pthread_mutex_unlock(&lock);
        if (message < 0)
            continue;
        atomic_store(&acknowledged, message + 1);
        if (message == expected - 2) /* two behind: a copy that is very late */
            assert(0);
        if (message >= expected)
            expected = message + 1;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, sender, NULL);
    pthread_create(&c, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
