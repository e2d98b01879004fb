// Handing arguments to threads and results back.  Result: correct.
// -DBUG all threads get a pointer to the loop's counter: data race.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { N = 2 };

static void *square(void *arg)
{
    int *number = arg;
    return (void *)(intptr_t)(*number * *number);
}

static void *on_heap(void *arg)
{
    int *number = arg, *result = malloc(sizeof *result);
    if (!result)
        abort();
    *result = *number + 1;
    free(number);
    return result;
}

int main(void)
{
    pthread_t t[N];
    int number[N];
    for (int k = 0; k < N; k++) {
        number[k] = k + 2;
#ifdef BUG
        pthread_create(&t[k], NULL, square, &k);
#else
        pthread_create(&t[k], NULL, square, &number[k]);
#endif
    }
    for (int k = 0; k < N; k++) {
        void *result;
        pthread_join(t[k], &result);
        assert((intptr_t)result == (k + 2) * (k + 2));
    }
    int *argument = malloc(sizeof *argument);
    if (!argument)
        return 0;
    *argument = 1;
    pthread_create(&t[0], NULL, on_heap, argument);
    void *result;
    pthread_join(t[0], &result);
    assert(*(int *)result == 2);
    free(result);
    return 0;
}
