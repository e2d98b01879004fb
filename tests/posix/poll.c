// poll waits for any of several descriptors.  Result: correct.
// -DBUG claims that the pipe is always first: assertion violation.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int p[2], event;

static void *write_pipe(void *arg)
{
    write(p[1], "x", 1);
    return arg;
}

static void *write_event(void *arg)
{
    uint64_t one = 1;
    write(event, &one, sizeof one);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pipe(p);
    event = eventfd(0, 0);
    struct pollfd list[2] = {{p[0], POLLIN, 0}, {event, POLLIN, 0}};
    assert(poll(list, 2, 0) == 0 && poll(list, 2, 100) == 0);
    pthread_create(&t, NULL, write_pipe, NULL);
    pthread_create(&u, NULL, write_event, NULL);
    int ready = poll(list, 2, -1);
    assert(ready == 1 || ready == 2);
#ifdef BUG
    assert(list[0].revents == POLLIN);
#endif
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(poll(list, 2, -1) == 2);
    return 0;
}
