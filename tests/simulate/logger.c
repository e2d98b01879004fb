/* A logger with two buffers: writers reserve a place in the present one and fill it; the
 * flusher swaps buffers and writes out the other one, in which a place may not be filled
 * yet.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { WRITERS = 6, LINES = 3, ROOM = WRITERS * LINES };

static atomic_int present, used[2], line[2][ROOM];

static void *write_lines(void *arg)
{
    for (int i = 0; i < LINES; i++) {
        int buffer = atomic_load(&present);
        int place = atomic_fetch_add(&used[buffer], 1);
        atomic_store(&line[buffer][place], 1);
    }
    return arg;
}

static void *flush(void *arg)
{
    int buffer = atomic_fetch_xor(&present, 1);
    int n = atomic_load(&used[buffer]);
    for (int i = 0; i < n; i++)
        assert(atomic_load(&line[buffer][i]));
    return arg;
}

int main(void)
{
    pthread_t thread[WRITERS], flusher;
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&thread[i], NULL, write_lines, NULL);
    pthread_create(&flusher, NULL, flush, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(thread[i], NULL);
    pthread_join(flusher, NULL);
    return 0;
}
