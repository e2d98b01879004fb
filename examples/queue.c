// A bounded queue with a mutex and two condition variables, one producer, two
// consumers.  Result: correct.  -DBUG waits with "if" where "while" is needed: after
// waking up, the other consumer may have been quicker: assertion violation.
#include <assert.h>
#include <pthread.h>

enum { ITEMS = 2, SIZE = 1 };

static struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int item[SIZE], used;
} queue = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
};

static void put(struct queue *q, int item)
{
    pthread_mutex_lock(&q->lock);
    while (q->used == SIZE)
        pthread_cond_wait(&q->not_full, &q->lock);
    q->item[q->used++] = item;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static int get(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
#ifdef BUG
    if (q->used == 0)
#else
    while (q->used == 0)
#endif
        pthread_cond_wait(&q->not_empty, &q->lock);
    assert(q->used > 0);
    int item = q->item[--q->used];
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
    return item;
}

static void *consume(void *got)
{
    *(int *)got = get(&queue);
    return NULL;
}

int main(void)
{
    pthread_t consumer[ITEMS];
    int got[ITEMS], sum = 0;
    for (int k = 0; k < ITEMS; k++)
        pthread_create(&consumer[k], NULL, consume, &got[k]);
    for (int k = 1; k <= ITEMS; k++)
        put(&queue, k);
    for (int k = 0; k < ITEMS; k++) {
        pthread_join(consumer[k], NULL);
        sum += got[k];
    }
    assert(sum == 3);
    return 0;
}
