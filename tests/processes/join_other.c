// A child has no thread but its own: joining one of its parent's is misuse.
//
// Result: pthread misuse.
// Expect: the thread belongs to another process
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
        pthread_join(thread, NULL);
        _exit(0);
    }
    wait(NULL);
    sem_post(&sem);
    pthread_join(thread, NULL);
    return 0;
}
