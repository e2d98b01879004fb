/* An HTTP-like server: a loop takes events of six connections and gives requests to three
 * handlers.  A client that goes away frees its connection, although a handler may still be
 * about to answer on it.
 * Result: memory error. */
#include <pthread.h>
#include <stdlib.h>

enum { CONNECTIONS = 6, HANDLERS = 3, QUEUE = 32 };
enum kind { REQUEST, GONE, QUIT };

struct connection {
    int requests, answers;
};
struct event {
    enum kind kind;
    struct connection *connection;
};
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct event event[QUEUE];
    int first, n;
};

static struct queue events = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
static struct queue requests = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
static pthread_mutex_t answering = PTHREAD_MUTEX_INITIALIZER;

static void put(struct queue *queue, enum kind kind, struct connection *connection)
{
    pthread_mutex_lock(&queue->lock);
    queue->event[(queue->first + queue->n++) % QUEUE] = (struct event){kind, connection};
    pthread_cond_signal(&queue->filled);
    pthread_mutex_unlock(&queue->lock);
}

static struct event get(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->n == 0)
        pthread_cond_wait(&queue->filled, &queue->lock);
    struct event event = queue->event[queue->first];
    queue->first = (queue->first + 1) % QUEUE;
    queue->n--;
    pthread_mutex_unlock(&queue->lock);
    return event;
}

static void *handle(void *arg)
{
    for (;;) {
        struct event event = get(&requests);
        if (event.kind == QUIT)
            return arg;
        pthread_mutex_lock(&answering);
        event.connection->answers++;
        pthread_mutex_unlock(&answering);
    }
}

static void *client(void *arg)
{
    struct connection *connection = calloc(1, sizeof *connection);
    put(&events, REQUEST, connection);
    put(&events, GONE, connection);
    return arg;
}

static void serve(void)
{
    for (int left = CONNECTIONS; left;) {
        struct event event = get(&events);
        if (event.kind == REQUEST) {
            put(&requests, REQUEST, event.connection);
            continue;
        }
        pthread_mutex_lock(&answering);
        free(event.connection);
        pthread_mutex_unlock(&answering);
        left--;
    }
}

int main(void)
{
    pthread_t handler[HANDLERS], other[CONNECTIONS];
    for (int i = 0; i < HANDLERS; i++)
        pthread_create(&handler[i], NULL, handle, NULL);
    for (int i = 0; i < CONNECTIONS; i++)
        pthread_create(&other[i], NULL, client, NULL);
    serve();
    for (int i = 0; i < HANDLERS; i++)
        put(&requests, QUIT, NULL);
    for (int i = 0; i < CONNECTIONS; i++)
        pthread_join(other[i], NULL);
    for (int i = 0; i < HANDLERS; i++)
        pthread_join(handler[i], NULL);
    return 0;
}
