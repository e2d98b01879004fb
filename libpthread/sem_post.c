/* sem_post.c - adding one to a semaphore, and looking at it. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/wait.h"

int sem_post(sem_t *sem)
{
    struct semaphore *s = (struct semaphore *)sem;
    os_enter();
    os_act(VM_ACT_SEM_POST, s, sizeof *s);
    semaphore_check(s, __func__);
    if (s->state != SEMAPHORE)
        misuse(s->state ? "sem_post: the semaphore was destroyed"
                        : "sem_post: the semaphore was never initialised");
    bool full = s->value == SEM_VALUE_MAX;
    if (!full)
        s->value++;
    os_leave();
    if (full)
        errno = EOVERFLOW;
    return full ? -1 : 0;
}

int sem_getvalue(sem_t *restrict sem, int *restrict value)
{
    struct semaphore *s = (struct semaphore *)sem;
    os_enter();
    os_act(VM_ACT_SEM_GET, s, sizeof *s);
    semaphore_check(s, __func__);
    if (s->state != SEMAPHORE)
        misuse(s->state ? "sem_getvalue: the semaphore was destroyed"
                        : "sem_getvalue: the semaphore was never initialised");
    int now = s->value;
    os_leave();
    *value = now;
    return 0;
}
