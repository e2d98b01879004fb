// A semaphore and a number in shared memory, in two processes and two threads.  Result:
// correct.
// Outcomes seen by the third: 1 2 3.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"
#include <sys/mman.h>
#include <sys/wait.h>

struct shared {
    sem_t sem;
    int x;
};

static int add(struct shared *s, int n)
{
    sem_wait(&s->sem);
    int value = s->x += n;
    sem_post(&s->sem);
    return value;
}

int main(void)
{
    struct shared *s =
        mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(&s->sem, 1, 1);
    if (fork() == 0) {
        add(s, 1);
        add(s, 1);
        _exit(0);
    }
    int r0 = add(s, 1);
    wait(NULL);
    assert(s->x == 3);
    OUTCOME(r0, 1, 2, 3);
    return 0;
}
