// Two payments from one account look at the balance before they take the lock.
// Result: assertion violation.
// Learned: both payments were granted: 60 + 60 is more than 100.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance, paid[2];
};

struct payment {
    struct account *account;
    int who;
};

static int is_granted(struct account *acc)
{
    pthread_mutex_lock(&acc->lock);
    int granted = acc->balance >= 60;
    pthread_mutex_unlock(&acc->lock);
    return granted;
}

static void *pay(void *arg)
{
    struct payment *payment = arg;
    struct account *acc = payment->account;
    if (!is_granted(acc))
        return NULL;
    pthread_mutex_lock(&acc->lock);
    acc->balance -= 60;
    acc->paid[payment->who] += 60;
    pthread_mutex_unlock(&acc->lock);
    return NULL;
}

int main(void)
{
    struct account *acc = calloc(1, sizeof *acc);
    if (!acc)
        return 0;
    struct payment payments[2] = {{acc, 0}, {acc, 1}};
    pthread_t threads[2];
    pthread_mutex_init(&acc->lock, NULL);
    acc->balance = 100;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, pay, &payments[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(acc->paid[0] + acc->paid[1] <= 100);
    free(acc);
    return 0;
}
