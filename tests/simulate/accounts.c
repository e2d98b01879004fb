/* Transfers between eight accounts lock both, in the order in which they are named.
 * Result: deadlock. */
#include <pthread.h>

enum { ACCOUNTS = 8, CLERKS = 6, TRANSFERS = 3 };

static pthread_mutex_t lock[ACCOUNTS];
static int balance[ACCOUNTS], number[CLERKS];

static void transfer(int from, int to, int amount)
{
    if (from == to)
        return;
    pthread_mutex_lock(&lock[from]);
    pthread_mutex_lock(&lock[to]);
    balance[from] -= amount;
    balance[to] += amount;
    pthread_mutex_unlock(&lock[to]);
    pthread_mutex_unlock(&lock[from]);
}

static void *work(void *arg)
{
    int i = *(int *)arg;
    for (int k = 0; k < TRANSFERS; k++)
        transfer((3 * i + k) % ACCOUNTS, (5 * i + 2 * k + 1) % ACCOUNTS, k);
    return NULL;
}

int main(void)
{
    pthread_t thread[CLERKS];
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_mutex_init(&lock[i], NULL);
    for (int i = 0; i < CLERKS; i++) {
        number[i] = i;
        pthread_create(&thread[i], NULL, work, &number[i]);
    }
    for (int i = 0; i < CLERKS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
