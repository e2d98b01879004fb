// A thread sets the limit while main prints it; main has used a file and the time before.
// Result: data race.
// Learned: limit is written with log_lock held and read without any lock; what fopen, fprintf
// and localtime lock for themselves is not told.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;
static int limit = 10, ready;

static void *raise_limit(void *arg)
{
    pthread_mutex_lock(&log_lock);
    while (!ready)
        pthread_cond_wait(&begun, &log_lock);
    limit = 20;
    pthread_mutex_unlock(&log_lock);
    return arg;
}

int main(void)
{
    time_t now = 0;
    pthread_t thread;
    FILE *log = fopen("/tmp/log", "w");
    if (!log)
        abort();
    fprintf(log, "%d\n", localtime(&now)->tm_year);
    fclose(log);
    pthread_create(&thread, NULL, raise_limit, NULL);
    pthread_mutex_lock(&log_lock);
    ready = 1;
    pthread_cond_signal(&begun);
    pthread_mutex_unlock(&log_lock);
    printf("limit %d\n", limit);
    pthread_join(thread, NULL);
    return 0;
}
