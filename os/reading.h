/* reading.h - locks that do not say who holds them: read locks, and the words of guards.  The
 * holding thread has an array of them, with an entry for each time it locked.  In the
 * kernel. */
#ifndef OS_READING_H
#define OS_READING_H

#include "os/state.h"

static inline size_t reading_count(const struct os_thread *thread)
{
    return thread->reading ? __divm_obj_size(thread->reading) / sizeof(void *) : 0;
}

static inline void reading_add(struct os_thread *thread, const void *lock)
{
    size_t count = reading_count(thread);
    if (count)
        __divm_obj_resize(thread->reading, (count + 1) * sizeof(void *));
    else
        thread->reading = __divm_obj_make(sizeof(void *), VM_OBJ_KERNEL);
    ((const void **)thread->reading)[count] = lock;
}

static inline bool reading_has(const struct os_thread *thread, const void *lock)
{
    const void *const *held = thread->reading;
    for (size_t k = 0, count = reading_count(thread); k < count; k++)
        if (held[k] == lock)
            return true;
    return false;
}

/* Removes a lock from the thread's array; false if the thread does not hold it. */
static inline bool reading_remove(struct os_thread *thread, const void *lock)
{
    const void **held = thread->reading;
    size_t count = reading_count(thread), place = 0;
    while (place < count && held[place] != lock)
        place++;
    if (place == count)
        return false;
    for (; place + 1 < count; place++)
        held[place] = held[place + 1];
    if (count > 1) {
        __divm_obj_resize(held, (count - 1) * sizeof(void *));
    } else {
        __divm_obj_free(held, VM_OBJ_KERNEL);
        thread->reading = NULL;
    }
    return true;
}

#endif
