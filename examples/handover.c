/* A job is handed from a producer to a consumer, by a queue of one place.
 *
 * docs/QUERIES.md asks about its states.  Result: correct. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum stage { EMPTY, FILLED, TAKEN };

struct job {
    int number;
    struct job *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static enum stage stage;
static struct job *queue;
static atomic_int done;

static void *consume(void *arg)
{
    int sum = 0;
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&lock);
        while (!queue)
            pthread_cond_wait(&changed, &lock);
        struct job *job = queue;
        queue = NULL;
        stage = TAKEN;
        sum += job->number;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        done++;
    }
    assert(sum == 3);
    return arg;
}

int main(void)
{
    struct job jobs[2] = {{1, NULL}, {2, NULL}};
    pthread_t consumer;
    pthread_create(&consumer, NULL, consume, NULL);
    for (int k = 0; k < 2; k++) {
        pthread_mutex_lock(&lock);
        while (queue)
            pthread_cond_wait(&changed, &lock);
        queue = &jobs[k];
        stage = FILLED;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(consumer, NULL);
    return 0;
}
