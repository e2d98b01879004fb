/* mutex_init.c - making and destroying mutexes. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/wait.h"

int pthread_mutex_init(pthread_mutex_t *restrict mutex,
                       const pthread_mutexattr_t *restrict attr)
{
    struct mutex made = {0};
    int robust = 0;
    if (attr) {
        mutexattr_check(attr, __func__);
        pthread_mutexattr_gettype(attr, &made.type);
        pthread_mutexattr_getrobust(attr, &robust);
        pthread_mutexattr_getprotocol(attr, &made.protocol);
        pthread_mutexattr_getprioceiling(attr, &made.ceiling);
        made.type |= robust ? MUTEX_ROBUST : 0;
        made.type |= made.protocol == PTHREAD_PRIO_PROTECT ? MUTEX_CEILING : 0;
    }
    *(struct mutex *)mutex = made;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    struct mutex *m = (struct mutex *)mutex;
    os_enter();
    os_act(VM_ACT_DESTROY, m, sizeof *m);
    __pthread_mutex_check(m, __func__);
    if (m->type == DESTROYED)
        misuse("pthread_mutex_destroy: the mutex is destroyed already");
    if (m->locked)
        __pthread_misuse_held("pthread_mutex_destroy: the mutex is locked", tid_of(m->owner));
    m->type = DESTROYED;
    os_leave();
    return 0;
}
