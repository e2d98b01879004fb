// Functions and variables called as those of the kernel and the libraries are the program's
// own: the kernel goes on using its own.  Result: correct.  -DRACE: data race.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define FUNCTION(name) \
    int name(int x)    \
    {                  \
        return x + 1;  \
    }
/* clang-format off */
#define FUNCTIONS(_)                                                                 \
    _(os_find)                                                                       \
    _(os_wake) _(os_exit) _(os_look) _(os_die) _(os_scheduler) _(os_fault) _(__boot) \
        _(__os_error) _(__os_syscall) _(__pthread_run) _(__pthread_unwinds)          \
            _(__pthread_cond_wake_one) _(__stdio_write) _(__libc_main) _(__funcs_on_exit)

#define VARIABLE(name) int name = 7;
#define VARIABLES(_)                                                    \
    _(os_interruptible)                                                 \
    _(os_sees_ends) _(os_redirects) _(__pthread_cancellable) _(os_more) \
        _(__pthread_deletes_keys) _(__malloc_is_ours) _(__os_cancelled) _(os_wait_any)
/* clang-format on */

FUNCTIONS(FUNCTION)
VARIABLES(VARIABLE)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *work(void *arg)
{
    pthread_testcancel();
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
#define CALLED(name) assert(name(3) == 4);
#define KEPT(name) assert(name == 7);
    pthread_t id;
    pthread_create(&id, NULL, work, malloc(1));
#ifdef RACE
    shared++;
#else
    work(NULL);
#endif
    FUNCTIONS(CALLED)
    void *result;
    pthread_join(id, &result);
    free(result);
    VARIABLES(KEPT)
    printf("%d\n", shared);
    return shared - 2;
}
