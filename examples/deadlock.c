// Two threads move money between two accounts and lock the account that they
// take from first.  When they go in opposite directions, each holds what the other
// waits for.  Result: deadlock.
// -DFIXED locks the accounts in the order of their places in memory: correct.
// Expect: deadlock
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int money;
};

static struct account account[2] = {
    {PTHREAD_MUTEX_INITIALIZER, 10},
    {PTHREAD_MUTEX_INITIALIZER, 10},
};

static void transfer(int from, int to, int amount)
{
#ifdef FIXED
    int first = from < to ? from : to, second = from < to ? to : from;
#else
    int first = from, second = to;
#endif
    pthread_mutex_lock(&account[first].lock);
    pthread_mutex_lock(&account[second].lock);
    account[from].money -= amount;
    account[to].money += amount;
    pthread_mutex_unlock(&account[second].lock);
    pthread_mutex_unlock(&account[first].lock);
}

static void *forth(void *arg)
{
    transfer(0, 1, 3);
    return arg;
}

static void *back(void *arg)
{
    transfer(1, 0, 5);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, forth, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(account[0].money == 12 && account[1].money == 8);
    return 0;
}
