/* sem_init.c - making and destroying semaphores. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/queue.h"
#include "os/wait.h"

int sem_init(sem_t *sem, int shared, unsigned value)
{
    (void)shared;
    if (value > SEM_VALUE_MAX) {
        errno = EINVAL;
        return -1;
    }
    *(struct semaphore *)sem = (struct semaphore){.value = (int)value, .state = SEMAPHORE};
    return 0;
}

int sem_destroy(sem_t *sem)
{
    struct semaphore *s = (struct semaphore *)sem;
    os_enter();
    os_act(VM_ACT_DESTROY, s, sizeof *s);
    semaphore_check(s, __func__);
    if (s->state != SEMAPHORE)
        misuse(s->state ? "sem_destroy: the semaphore is destroyed already"
                        : "sem_destroy: the semaphore was never initialised");
    if (os_blocked_on(&s->value))
        misuse("sem_destroy: a thread waits for the semaphore");
    s->state = DESTROYED;
    os_leave();
    return 0;
}
