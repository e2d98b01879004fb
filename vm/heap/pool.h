/* pool.h - memory for what comes and goes with each transition: objects, nodes, states.
 *
 * Each thread keeps a few pieces of each size that it has given back, and takes those first;
 * any thread may give back what another has taken.  The rest is malloc's.  A build with
 * sanitizers keeps nothing, so that they see each use of what is gone. */
#ifndef VM_POOL_H
#define VM_POOL_H

#include "memory.h"

enum {
    VM_POOL_GRAIN = 16,
    VM_POOL_LARGEST = 1024, /* bytes; larger pieces are not kept */
    VM_POOL_KEPT = 64,      /* pieces of a size */
};

struct vm_piece {
    struct vm_piece *next;
};

struct vm_pool {
    struct vm_piece *first[VM_POOL_LARGEST / VM_POOL_GRAIN];
    unsigned char n[VM_POOL_LARGEST / VM_POOL_GRAIN];
};

extern _Thread_local struct vm_pool vm_pool;

#ifdef DIVM_DEBUG
static inline void *vm_take(size_t size)
{
    return vm_alloc(size);
}
static inline void vm_give(void *p, size_t size)
{
    (void)size;
    free(p);
}
#else
/* Takes memory; size: not 0. */
static inline void *vm_take(size_t size)
{
    size_t k = (size - 1) / VM_POOL_GRAIN;
    if (size > VM_POOL_LARGEST)
        return vm_alloc(size);
    struct vm_piece *p = vm_pool.first[k];
    if (!p)
        return vm_alloc((k + 1) * VM_POOL_GRAIN);
    vm_pool.first[k] = p->next;
    vm_pool.n[k]--;
    return p;
}
/* Gives memory back; size: the size that it was taken with. */
static inline void vm_give(void *p, size_t size)
{
    size_t k = (size - 1) / VM_POOL_GRAIN;
    if (size > VM_POOL_LARGEST || vm_pool.n[k] == VM_POOL_KEPT) {
        free(p);
        return;
    }
    struct vm_piece *piece = p;
    piece->next = vm_pool.first[k];
    vm_pool.first[k] = piece;
    vm_pool.n[k]++;
}
#endif

#endif
