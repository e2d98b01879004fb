/* sem_open.c - semaphores with names.  The table of names is the kernel's, and a
 * semaphore goes when it is unlinked and closed as often as it was opened; where there
 * are processes it stays, since their opens are not counted apart. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/queue.h"
#include "os/state.h"
#include "os/wait.h"
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

enum { NAME_SIZE = 32 };

struct named {
    struct semaphore *sem;
    long opened;
    char name[NAME_SIZE]; /* empty once unlinked; all 0 after its end */
};

/* Returns the place of the table, which is NULL while there is none. */
static struct named **table(void)
{
    return (struct named **)&os_state()->named;
}

static size_t count_named(void)
{
    return *table() ? __divm_obj_size(*table()) / sizeof **table() : 0;
}

static struct named *find(const char *name)
{
    for (size_t k = 0; k < count_named(); k++)
        if (!strcmp((*table())[k].name, name))
            return &(*table())[k];
    return NULL;
}

static struct named *add(const char *name, unsigned value)
{
    size_t count = count_named();
    if (count)
        __divm_obj_resize(*table(), (count + 1) * sizeof **table());
    else
        *table() = __divm_obj_make(sizeof **table(), VM_OBJ_KERNEL);
    struct named *made = &(*table())[count];
    *made = (struct named){.sem = __divm_obj_make(sizeof *made->sem, VM_OBJ_KERNEL)};
    *made->sem = (struct semaphore){.value = (int)value, .state = SEMAPHORE};
    strcpy(made->name, name);
    return made;
}

static void remove_unused(struct named *entry)
{
    if (entry->opened || entry->name[0] || os_state()->processes)
        return;
    if (os_blocked_on(&entry->sem->value))
        misuse("sem_close: a thread waits for the semaphore");
    __divm_obj_free(entry->sem, VM_OBJ_KERNEL);
    size_t count = count_named();
    for (struct named *last = *table() + count - 1; entry < last; entry++)
        *entry = entry[1];
    if (count > 1) {
        __divm_obj_resize(*table(), (count - 1) * sizeof **table());
        return;
    }
    __divm_obj_free(*table(), VM_OBJ_KERNEL);
    *table() = NULL;
}

static int check_name(const char **name)
{
    while (**name == '/')
        ++*name;
    if (!**name || strchr(*name, '/'))
        return EINVAL;
    return strnlen(*name, NAME_SIZE) == NAME_SIZE ? ENAMETOOLONG : 0;
}

static sem_t *failed(int error)
{
    errno = error;
    return SEM_FAILED;
}

sem_t *sem_open(const char *name, int flags, ...)
{
    unsigned value = 0;
    if (flags & O_CREAT) {
        va_list list;
        va_start(list, flags);
        (void)va_arg(list, mode_t);
        value = va_arg(list, unsigned);
        va_end(list);
    }
    int error = check_name(&name);
    if (!error && flags & O_CREAT && value > SEM_VALUE_MAX)
        error = EINVAL;
    if (error)
        return failed(error);
    os_enter();
    os_act(VM_ACT_INIT, table(), sizeof *table());
    struct named *entry = find(name);
    if (entry && flags & O_CREAT && flags & O_EXCL)
        error = EEXIST;
    else if (!entry && !(flags & O_CREAT))
        error = ENOENT;
    else if (!entry)
        entry = add(name, value);
    sem_t *result = error ? SEM_FAILED : (sem_t *)entry->sem;
    if (!error)
        entry->opened++;
    os_leave();
    return error ? failed(error) : result;
}

int sem_close(sem_t *sem)
{
    os_enter();
    os_act(VM_ACT_DESTROY, table(), sizeof *table());
    size_t k = 0;
    while (k < count_named() && (sem_t *)(*table())[k].sem != sem)
        k++;
    if (k == count_named() || (!(*table())[k].opened && !os_state()->processes))
        misuse("sem_close: it is no semaphore that sem_open gave, or closed already");
    (*table())[k].opened -= (*table())[k].opened != 0;
    remove_unused(&(*table())[k]);
    os_leave();
    return 0;
}

int sem_unlink(const char *name)
{
    int error = check_name(&name);
    os_enter();
    os_act(VM_ACT_DESTROY, table(), sizeof *table());
    struct named *entry = error ? NULL : find(name);
    if (!error && !entry)
        error = ENOENT;
    if (!error) {
        memset(entry->name, 0, sizeof entry->name);
        remove_unused(entry);
    }
    os_leave();
    if (error)
        errno = error;
    return error ? -1 : 0;
}
