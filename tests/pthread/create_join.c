// Threads give results to those who join them; ids can be compared.  Result: correct.
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void *twice(void *arg)
{
    assert(!pthread_equal(pthread_self(), main_thread));
    *(int *)arg *= 2;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    int value[2] = {3, 4};
    void *result;
    main_thread = pthread_self();
    for (int k = 0; k < 2; k++)
        assert(pthread_create(&t[k], NULL, twice, &value[k]) == 0);
    for (int k = 0; k < 2; k++) {
        assert(pthread_join(t[k], &result) == 0);
        assert(result == &value[k]);
    }
    assert(value[0] == 6 && value[1] == 8);
    return 0;
}
