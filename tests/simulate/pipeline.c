/* Five stages hand items on by mailboxes of one item.  The end is told by a flag beside
 * the box: a stage that sees the flag first leaves the last item behind.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { STAGES = 5, ITEMS = 4 };

struct box {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int full;
    atomic_bool over;
};
static struct box box[STAGES];
static int stage[STAGES];
static int received;

static void put(struct box *b)
{
    pthread_mutex_lock(&b->lock);
    while (b->full)
        pthread_cond_wait(&b->changed, &b->lock);
    b->full = 1;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

static void finish(struct box *b)
{
    atomic_store(&b->over, true);
    pthread_mutex_lock(&b->lock);
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

static bool take(struct box *b)
{
    pthread_mutex_lock(&b->lock);
    while (!b->full && !atomic_load(&b->over))
        pthread_cond_wait(&b->changed, &b->lock);
    bool over = atomic_load(&b->over); /* whether it is empty is not asked again */
    b->full = 0;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    return !over;
}

static void *work(void *arg)
{
    int i = *(int *)arg;
    while (take(&box[i]))
        if (i + 1 < STAGES)
            put(&box[i + 1]);
        else
            received++;
    if (i + 1 < STAGES)
        finish(&box[i + 1]);
    return NULL;
}

int main(void)
{
    pthread_t thread[STAGES];
    for (int i = 0; i < STAGES; i++) {
        stage[i] = i;
        pthread_mutex_init(&box[i].lock, NULL);
        pthread_cond_init(&box[i].changed, NULL);
        pthread_create(&thread[i], NULL, work, &stage[i]);
    }
    for (int i = 0; i < ITEMS; i++)
        put(&box[0]);
    finish(&box[0]);
    for (int i = 0; i < STAGES; i++)
        pthread_join(thread[i], NULL);
    assert(received == ITEMS);
    return 0;
}
