// Two transfers in a circle of three accounts lock their accounts in the order in which they
// are given.  Result: deadlock.
// Learned: who holds which account's lock and who waits for it.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct order {
    int from, to;
};

static struct account accounts[3];
static struct order orders[] = {{0, 1}, {1, 2}, {2, 0}};

static void *transfer(void *arg)
{
    const struct order *order = arg;
    struct account *from = &accounts[order->from], *to = &accounts[order->to];
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= 10;
    to->balance += 10;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_mutex_init(&accounts[i].lock, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, transfer, &orders[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
