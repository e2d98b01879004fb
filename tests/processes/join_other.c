// A child has no thread but its own: joining one of its parent's is misuse, and so far
// processes cannot lock files against each other.
//
// Result: pthread misuse.  -DFILES: refused.
// Expect: the thread belongs to another process
// Expect-FILES: locks between processes
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t sem;

static void *work(void *arg)
{
    sem_wait(&sem);
    return arg;
}

int main(void)
{
    pthread_t thread;
    sem_init(&sem, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    if (fork() == 0) {
#ifdef FILES
        int fd = open("/tmp/lock", O_RDWR | O_CREAT, 0600);
        struct flock lock = {.l_type = F_WRLCK};
        fcntl(fd, F_SETLK, &lock);
#else
        pthread_join(thread, NULL);
#endif
        _exit(0);
    }
    wait(NULL);
    sem_post(&sem);
    pthread_join(thread, NULL);
    return 0;
}
