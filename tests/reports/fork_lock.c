// A process forks while another of its threads holds a lock: in the child nobody will ever
// unlock it.  Result: deadlock.
// Learned: the child has no thread that could unlock what its copy of the lock says is locked.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table;

static void *updater(void *arg)
{
    pthread_mutex_lock(&lock);
    table++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, updater, NULL);
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(&lock);
        table = 0;
        pthread_mutex_unlock(&lock);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    pthread_join(thread, NULL);
    return 0;
}
