/* name.c - pthread_setname_np.  Where nobody asks for names (name_get.c), it does not matter
 * whether the thread has ended. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/thread.h"
#include <string.h>

int pthread_setname_np(pthread_t thread, const char *name)
{
    char all[16] = {0};
    size_t length = strnlen(name, sizeof all);
    if (length == sizeof all)
        return ERANGE;
    memcpy(all, name, length);
    struct os_thread *target = enter_for(thread, "pthread_setname_np: there is no such thread");
    __divm_trace(VM_TRACE_NAME + ((int)target->tid << 8), all, length);
    if (target->running) {
        memcpy(os_more(target)->name, all, sizeof all);
        os_less(target);
    }
    os_leave();
    return 0;
}
