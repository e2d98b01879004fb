// An event's number is taken as a whole.  Result: correct.
// -DBUG expects that both are always read at once: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;

static void *work(void *arg)
{
    uint64_t one = 1;
    write(event, &one, sizeof one);
    write(event, &one, sizeof one);
    return arg;
}

int main(void)
{
    pthread_t t;
    uint64_t sum = 0, got;
    event = eventfd(0, 0);
    pthread_create(&t, NULL, work, NULL);
    while (sum < 2) {
        assert(read(event, &got, sizeof got) == sizeof got);
        sum += got;
#ifdef BUG
        assert(got == 2);
#endif
    }
    pthread_join(t, NULL);
    return 0;
}
