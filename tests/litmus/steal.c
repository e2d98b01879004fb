// A deque that its owner takes from at one end, and two thieves that are alike at the other,
// under a lock.  The thieves' objects tell them apart or not, as the lock and what they took
// do. Its states are as many whatever the search does (run.py --pass exact). Result: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ITEMS = 4, SLOTS = 16 };

#ifdef PLAIN
typedef int *item_pointer;
#else
typedef _Atomic(int *) item_pointer;
#endif

static struct {
    pthread_mutex_t lock;
    atomic_long head, tail;
    item_pointer slot[SLOTS];
} deque = {PTHREAD_MUTEX_INITIALIZER};

static int item[ITEMS];

static int steal(int **out)
{
    int found = 0;
    pthread_mutex_lock(&deque.lock);
    long h = atomic_load(&deque.head);
    atomic_store(&deque.head, h + 1);
    if (h < atomic_load(&deque.tail)) {
        *out = deque.slot[h % SLOTS];
        found = 1;
    } else
        atomic_store(&deque.head, h);
    pthread_mutex_unlock(&deque.lock);
    return found;
}

static int pop(int **out)
{
    long t = atomic_load(&deque.tail) - 1;
    atomic_store(&deque.tail, t);
    if (atomic_load(&deque.head) <= t) {
        *out = deque.slot[t % SLOTS];
        return 1;
    }
    atomic_store(&deque.tail, t + 1);
    int found = 0;
    pthread_mutex_lock(&deque.lock);
    t = atomic_load(&deque.tail) - 1;
    atomic_store(&deque.tail, t);
    if (atomic_load(&deque.head) <= t) {
        *out = deque.slot[t % SLOTS];
        found = 1;
    } else
        atomic_store(&deque.tail, t + 1);
    pthread_mutex_unlock(&deque.lock);
    return found;
}

static void push(int *x)
{
    long t = atomic_load(&deque.tail);
    deque.slot[t % SLOTS] = x;
    atomic_store(&deque.tail, t + 1);
}

static void *thief(void *arg)
{
    int *x;
    (void)arg;
    if (steal(&x))
        ++*x;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int *x;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thief, NULL);
    for (int i = 0; i < ITEMS; i += 2) {
        push(&item[i]);
        push(&item[i + 1]);
        if (pop(&x))
            ++*x;
    }
    while (pop(&x))
        ++*x;
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < ITEMS; i++)
        assert(item[i] == 1);
    return 0;
}
