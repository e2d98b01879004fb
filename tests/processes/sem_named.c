// A named semaphore is the same in all processes, whether it was opened before the fork
// or after.
//
// Result: correct.  -DBUG posts to another: deadlock.
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    sem_t *before = sem_open("/before", O_CREAT, 0600, 0);
    if (fork() == 0) {
        sem_t *after = sem_open("/after", O_CREAT, 0600, 0);
        sem_wait(before);
        sem_post(after);
        sem_close(before);
        sem_close(after);
        _exit(0);
    }
#ifdef BUG
    sem_t *after = sem_open("/other", O_CREAT, 0600, 0);
#else
    sem_t *after = sem_open("/after", O_CREAT, 0600, 0);
#endif
    sem_post(before);
    sem_wait(after);
    assert(wait(NULL) > 0);
    sem_close(before);
    sem_close(after);
    sem_unlink("/before");
    sem_unlink("/after");
    return 0;
}
