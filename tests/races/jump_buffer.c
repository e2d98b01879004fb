// Two threads set the same jump buffer.  Result: data race.
// -DOWN each its own: correct.
// -DLOCKED they take turns: correct.
// -DLIST they begin a list of arguments in the same variable: data race.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>

static jmp_buf buffer[2];
static va_list list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void begin(int n, ...)
{
    (void)n;
#ifdef LIST
    va_start(list, n);
    va_end(list);
#else
    (void)list;
#endif
}

static void *set(void *arg)
{
    int which = 0;
#ifdef OWN
    which = *(int *)arg;
#endif
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
#ifndef LIST
    if (setjmp(buffer[which]) == 0)
#endif
        begin(which, arg);
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    int number[2] = {0, 1};
    (void)lock;
    for (int k = 0; k < 2; k++)
        pthread_create(&thread[k], NULL, set, &number[k]);
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
    return 0;
}
