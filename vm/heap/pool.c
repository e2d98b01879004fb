/* pool.c - see pool.h. */
#include "pool.h"

#include "vm/vm.h"

_Thread_local struct vm_pool vm_pool;

void vm_thread_ends(void)
{
    for (size_t k = 0; k < sizeof vm_pool.n; k++) {
        while (vm_pool.first[k]) {
            struct vm_piece *p = vm_pool.first[k];
            vm_pool.first[k] = p->next;
            free(p);
        }
        vm_pool.n[k] = 0;
    }
}
