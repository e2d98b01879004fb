// Variables with the same name in two processes are two variables: no race.  In one
// process they are one.
//
// Result: correct.  -DBUG has a thread do it: data race.
// Expect-BUG: data race.*work at races.c
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int global;

static void *work(void *arg)
{
    (void)arg;
    global++;
    return NULL;
}

int main(void)
{
    if (fork() == 0) {
#ifdef BUG
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        global++;
        pthread_join(thread, NULL);
#endif
        work(NULL);
        _exit(0);
    }
    work(NULL);
    work(NULL);
    wait(NULL);
    return 0;
}
