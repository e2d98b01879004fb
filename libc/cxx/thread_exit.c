/* thread_exit.c - destructors of thread-local objects: called where a thread ends,
 * and by exit, in the reverse order of construction.  Replaces the weak function
 * in exit.c of libc and of libpthread where a program needs it.  No program could do
 * anything about a lack of memory here: there is none. */
#include "vm/hypercall.h"
#include <stddef.h>

struct object {
    struct object *next;
    void (*destroy)(void *);
    void *object;
};

static _Thread_local struct object *newest;

int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *dso);
void __call_thread_destructors(void);

int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *dso)
{
    struct object *entry = __divm_obj_make(sizeof *entry, VM_OBJ_HEAP);
    (void)dso;
    *entry = (struct object){newest, destroy, object};
    newest = entry;
    return 0;
}

void __call_thread_destructors(void)
{
    while (newest) {
        struct object entry = *newest;
        __divm_obj_free(newest, VM_OBJ_HEAP);
        newest = entry.next;
        entry.destroy(entry.object);
    }
}
