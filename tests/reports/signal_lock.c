// The handler of SIGALRM logs, and so does main, which holds the log's lock when the signal
// comes.  Result: deadlock.
// Learned: in which line the signal arrived, and that its handler waits for its own thread.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void log_line(void)
{
    pthread_mutex_lock(&log_lock);
    lines++;
    pthread_mutex_unlock(&log_lock);
}

static void on_alarm(int number)
{
    (void)number;
    log_line();
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    alarm(1);
    log_line();
    return 0;
}
