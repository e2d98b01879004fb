/* Eight connections are closed by whoever sees the end first, reader or writer: both look
 * at the flag before they set it.
 * Result: memory error or data race. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { CONNECTIONS = 8 };

struct connection {
    atomic_bool closed;
    char *buffer;
};
static struct connection connection[CONNECTIONS];

static void close_it(struct connection *c)
{
    if (atomic_load(&c->closed))
        return;
    atomic_store(&c->closed, true);
    free(c->buffer);
}

static void *work(void *arg)
{
    close_it(arg);
    return NULL;
}

int main(void)
{
    pthread_t thread[CONNECTIONS][2];
    for (int i = 0; i < CONNECTIONS; i++) {
        connection[i].buffer = malloc(1);
        for (int k = 0; k < 2; k++)
            pthread_create(&thread[i][k], NULL, work, &connection[i]);
    }
    for (int i = 0; i < CONNECTIONS; i++)
        for (int k = 0; k < 2; k++)
            pthread_join(thread[i][k], NULL);
    return 0;
}
