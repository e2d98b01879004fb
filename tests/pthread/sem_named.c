// Semaphores with names.  Result: correct.  -DBUG closes one twice: pthread misuse.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static void *work(void *arg)
{
    sem_t *s = sem_open("/tokens", O_CREAT, 0600, 0);
    assert(s != SEM_FAILED);
    sem_post(s);
    sem_close(s);
    return arg;
}

int main(void)
{
    pthread_t t;
    int value;
    assert(sem_open("/tokens", 0) == SEM_FAILED && errno == ENOENT);
    assert(sem_open("", O_CREAT, 0600, 0) == SEM_FAILED && errno == EINVAL);
    sem_t *s = sem_open("/tokens", O_CREAT | O_EXCL, 0600, 0);
    assert(sem_open("/tokens", O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
    pthread_create(&t, NULL, work, NULL);
    assert(sem_wait(s) == 0);
    assert(sem_getvalue(s, &value) == 0 && value == 0);
    pthread_join(t, NULL);
    assert(sem_unlink("/tokens") == 0);
    assert(sem_unlink("/tokens") == -1 && errno == ENOENT);
    assert(sem_close(s) == 0);
#ifdef BUG
    sem_close(s);
#endif
    return 0;
}
