/* accesses.c - the toy machine of vm.c says nothing of what its transitions touch: the search
 * by executions gives up. */
#include "vm/vm.h"

const struct vm_access *vm_accesses(const struct vm *vm, size_t *n)
{
    (void)vm;
    *n = 0;
    return NULL;
}

bool vm_own_state(struct vm *vm, uint64_t state[2])
{
    (void)vm, (void)state;
    return false;
}

bool vm_own_state_of(struct vm *vm, uint64_t thread, uint64_t state[2])
{
    (void)vm, (void)thread, (void)state;
    return false;
}

uint64_t vm_own_place(const struct vm *vm)
{
    (void)vm;
    return 0;
}

uint64_t vm_written(const struct vm *vm, const struct vm_access *access)
{
    (void)vm;
    return access->found;
}

size_t vm_published(const struct vm *vm)
{
    (void)vm;
    return 0;
}

size_t vm_allocations(const struct vm *vm)
{
    (void)vm;
    return 0;
}

uint64_t vm_thread(const struct vm *vm)
{
    (void)vm;
    return 0;
}

struct vm_await vm_awaited(const struct vm *vm)
{
    (void)vm;
    return (struct vm_await){0};
}

struct vm_await vm_awaited_by(const struct vm *vm, uint64_t thread, bool *waits)
{
    (void)vm, (void)thread;
    *waits = false;
    return (struct vm_await){0};
}

enum vm_opacity vm_opacity(const struct vm *vm, size_t *from)
{
    (void)vm;
    *from = 0;
    return VM_OPAQUE;
}
