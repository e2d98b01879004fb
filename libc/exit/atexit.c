/* atexit.c - the functions that exit calls, the last one first.  musl's drops a block of them
 * when they have run, which would be a leak; ours is freed. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "libc.h"
#include "lock.h"

enum { COUNT = 32 };

struct block {
    struct block *next; /* older ones */
    int used;
    struct entry {
        void (*function)(void *);
        void (*with_status)(int, void *); /* of on_exit; NULL: the other one is called */
        void *arg;
    } entry[COUNT];
};

static struct block first, *newest; /* newest: NULL as long as there was none */
static int lock[1];

int __cxa_atexit(void (*function)(void *), void *arg, void *dso);
void __cxa_finalize(void *dso);
hidden void __funcs_on_exit(void);
extern hidden int __exit_status; /* exit.c */

/* Makes room for one more, with the lock; false if there is none. */
static bool has_room(void)
{
    if (!newest)
        newest = &first;
    if (newest->used < COUNT)
        return true;
    struct block *block = __libc_calloc(1, sizeof *block);
    if (!block)
        return false;
    block->next = newest;
    newest = block;
    return true;
}

static int add(struct entry entry)
{
    LOCK(lock);
    bool has = has_room();
    if (has)
        newest->entry[newest->used++] = entry;
    UNLOCK(lock);
    return has - 1;
}

int __cxa_atexit(void (*function)(void *), void *arg, void *dso)
{
    (void)dso;
    return add((struct entry){.function = function, .arg = arg});
}

/* glibc's function. */
int on_exit(void (*function)(int, void *), void *arg)
{
    return add((struct entry){.with_status = function, .arg = arg});
}

static void call(void *function)
{
    ((void (*)(void))(uintptr_t)function)();
}

int atexit(void (*function)(void))
{
    return __cxa_atexit(call, (void *)(uintptr_t)function, NULL);
}

/* Is there still one to be called?  Those that are called may add some.  With the lock. */
static bool is_left(void)
{
    while (newest && newest->used == 0 && newest->next) {
        struct block *empty = newest;
        newest = empty->next;
        __libc_free(empty);
    }
    return newest && newest->used;
}

/* Calls all, and keeps the lock. */
void __funcs_on_exit(void)
{
    LOCK(lock);
    while (is_left()) {
        int k = --newest->used;
        struct entry entry = newest->entry[k];
        UNLOCK(lock);
        if (entry.with_status)
            entry.with_status(__exit_status, entry.arg);
        else
            entry.function(entry.arg);
        LOCK(lock);
    }
}

/* There are no libraries to be unloaded. */
void __cxa_finalize(void *dso)
{
    (void)dso;
}
