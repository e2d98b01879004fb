/* Six threads in a row hand on a token.  Each looks for it a few times and then gives up,
 * which is right only as long as the others are not faster.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 6, PATIENCE = 12 };

static atomic_int token;
static int number[N];

static void *work(void *arg)
{
    int i = *(int *)arg;
    for (int k = 0; k < PATIENCE; k++)
        if (atomic_load(&token) == i) {
            atomic_store(&token, i + 1);
            break;
        }
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < N; i++) {
        number[i] = i;
        pthread_create(&thread[i], NULL, work, &number[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    assert(atomic_load(&token) < N);
    return 0;
}
