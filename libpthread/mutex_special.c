/* mutex_special.c - robust mutexes, and those with a priority ceiling.
 *
 * A thread lists the robust mutexes that it holds.  If it ends with some, each is
 * given away by an action of its own, and its next owner is told so. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/process.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"

static size_t listed(const struct os_thread *thread)
{
    return thread->more && thread->more->robust
               ? __divm_obj_size(thread->more->robust) / sizeof(void *)
               : 0;
}

static void list(struct mutex *mutex, struct os_thread *self)
{
    struct os_more *more = os_more(self);
    size_t count = listed(self), size = (count + 1) * sizeof mutex;
    if (count)
        __divm_obj_resize(more->robust, size);
    else
        more->robust = __divm_obj_make(size, VM_OBJ_KERNEL);
    ((struct mutex **)more->robust)[count] = mutex;
    mutex->count |= MUTEX_LISTED;
}

void __pthread_mutex_unlist(struct mutex *mutex, struct os_thread *self)
{
    struct mutex **held = self->more->robust;
    size_t count = listed(self), place = 0;
    while (held[place] != mutex)
        place++;
    for (; place + 1 < count; place++)
        held[place] = held[place + 1];
    mutex->count &= ~MUTEX_LISTED;
    if (mutex->type & MUTEX_OWNER_DIED)
        mutex->type |= MUTEX_LOST;
    if (count > 1) {
        __divm_obj_resize(held, (count - 1) * sizeof mutex);
        return;
    }
    __divm_obj_free(held, VM_OBJ_KERNEL);
    self->more->robust = NULL;
    os_less(self);
}

int __pthread_mutex_take_special(struct mutex *mutex, struct os_thread *self,
                                 const char *function)
{
    if (mutex->type == DESTROYED)
        __pthread_destroyed(function, "mutex");
    __pthread_mutex_check(mutex, function);
    if (mutex->type & MUTEX_LOST)
        return ENOTRECOVERABLE;
    if (mutex->type & MUTEX_CEILING && self->more && self->more->priority > mutex->ceiling)
        return EINVAL;
    mutex_take(mutex, self);
    if (mutex->type & MUTEX_ROBUST)
        list(mutex, self);
    return mutex->type & MUTEX_OWNER_DIED ? EOWNERDEAD : 0;
}

/* Gives away the first mutex that is listed: its next owner will be told. */
static void give_away(struct os_thread *owner)
{
    struct mutex *mutex = *(struct mutex **)owner->more->robust;
    mutex->type &= ~MUTEX_OWNER_DIED;
    __pthread_mutex_unlist(mutex, owner);
    mutex->type |= MUTEX_OWNER_DIED;
    mutex->locked = 0;
    mutex->owner = NULL;
    mutex->count = 0;
    owner->holds--;
}

static void check_there(const struct os_thread *owner)
{
    if (os_is_gone(*(struct mutex **)owner->more->robust))
        misuse("a thread ends that holds a robust mutex whose memory was freed");
}

void __pthread_leave_robust(void)
{
    struct os_thread *self = os_enter();
    while (listed(self)) {
        check_there(self);
        struct mutex *mutex = *(struct mutex **)self->more->robust;
        os_act(VM_ACT_UNLOCK, mutex, sizeof *mutex);
        give_away(self);
    }
    os_leave();
}

void __os_leave_robust(struct os_thread *thread)
{
    while (listed(thread)) {
        check_there(thread);
        give_away(thread);
    }
}

/* While the mutex is held, no other thread reads what this changes. */
int pthread_mutex_consistent(pthread_mutex_t *mutex)
{
    struct mutex *m = (struct mutex *)mutex;
    struct os_thread *self = os_enter();
    bool valid = m->type != DESTROYED && m->type & MUTEX_OWNER_DIED && m->owner == self;
    if (valid)
        m->type &= ~MUTEX_OWNER_DIED;
    os_leave();
    return valid ? 0 : EINVAL;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *restrict mutex, int *restrict ceiling)
{
    const struct mutex *m = (const struct mutex *)mutex;
    os_enter();
    os_act(VM_ACT_LOCK, m, sizeof *m);
    bool valid = m->protocol == PTHREAD_PRIO_PROTECT;
    int found = m->ceiling;
    os_leave();
    if (!valid)
        return EINVAL;
    *ceiling = found;
    return 0;
}

/* Has the mutex a ceiling?  Nobody changes that once the mutex is made. */
static bool has_ceiling(const struct mutex *mutex)
{
    os_enter();
    bool result = mutex->protocol == PTHREAD_PRIO_PROTECT;
    os_leave();
    return result;
}

/* The change is an action of its own: who asks for the ceiling does not lock the mutex. */
int pthread_mutex_setprioceiling(pthread_mutex_t *restrict mutex, int ceiling,
                                 int *restrict old)
{
    struct mutex *m = (struct mutex *)mutex;
    if (!has_ceiling(m) || ceiling < 1 || ceiling > 99)
        return EINVAL;
    int result = pthread_mutex_lock(mutex);
    if (result) /* with EOWNERDEAD it is held, to be made consistent first */
        return result;
    os_enter();
    os_act(VM_ACT_LOCK, m, sizeof *m);
    int before = m->ceiling;
    m->ceiling = ceiling;
    os_leave();
    pthread_mutex_unlock(mutex);
    if (old)
        *old = before;
    return 0;
}
