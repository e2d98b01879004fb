// Each thread-local variable is an object with its own bounds.  Result: correct.
// -DABOVE: memory error.
// -DBELOW: memory error.
// -DSTRING: memory error.
// -DENDED: memory error.
// -DSHARED: data race.
// Expect-ABOVE: read of 4 bytes out of bounds: second . 16, thread-local, which has 16 bytes \(count at thread_local_bounds.c:@above\)
// Expect-STRING: write of 6 bytes out of bounds: name, thread-local, which has 5 bytes
// Expect-ENDED: variable used after its lifetime: read of record.sum, thread-local \(main at
// Expect-SHARED: data race: .*record.sum, thread-local
#include <assert.h>
#include <pthread.h>
#include <string.h>

static _Thread_local int first[4], second[4] = {1, 2, 3, 4};
static _Thread_local char name[5], other[8] = "other";
static _Thread_local struct {
    int n, sum;
} record = {4, 0};
static _Atomic(int *) sum;

static void *count(void *limit)
{
    for (int i = 0; i < *(int *)limit; i++)
        first[i] = second[i]; // @above
    for (int i = 0; i < record.n; i++)
        record.sum += first[i];
    assert(record.sum == 10);
    sum = &record.sum;
#ifdef SHARED
    record.sum++;
#endif
    return NULL;
}

int main(void)
{
    int limit = 4;
#ifdef ABOVE
    limit = 5;
#endif
    strcpy(name, "name");
#ifdef STRING
    strcpy(name, other);
#endif
    second[0] = 5;
#ifdef BELOW
    volatile int i = -1;
    second[i] = 5;
#endif
    pthread_t thread;
    pthread_create(&thread, NULL, count, &limit);
#ifdef SHARED
    if (sum)
        assert(*sum);
#endif
    pthread_join(thread, NULL);
#ifdef ENDED
    assert(*sum == 10);
#endif
    assert(second[0] == 5 && second[1] == 2 && !strcmp(other, "other") && !record.sum);
    return 0;
}
