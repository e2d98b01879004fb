/* access_log.h - the log of what the transition has accessed, which the search by executions
 * reads (vm_accesses in vm.h). */
#ifndef VM_ACCESS_LOG_H
#define VM_ACCESS_LOG_H

#include "vm/exec/late.h"
#include "vm/exec/mode.h"
#include "vm/machine.h"

void vm_access_log_append(struct vm *vm, uint64_t p, uint64_t size, bool write,
                          enum vm_access_kind kind);
/* A fence of the program: VM_ACCESS_ACQUIRES ... */
void vm_access_log_fence(struct vm *vm, uint8_t orders);
/* The running thread goes on since `thread` has ended. */
void vm_access_log_ended(struct vm *vm, uint64_t thread);
/* The running thread does not stop at its next action this time; await: what it would wait for.
 */
void vm_access_log_next(struct vm *vm, struct vm_await await);
void vm_access_log_mark(const struct vm *vm, struct vm_access_log *mark);
void vm_access_log_rollback(struct vm *vm, const struct vm_access_log *mark);

static inline bool vm_access_log_on(const struct vm *vm)
{
    return vm->s.concurrent && !vm->s.scheduling &&
           !(vm->s.reg[VM_REG_FLAGS] & VM_FLAG_COMMUTES);
}
/* In an execution: no other thread is left for which the running one could stop.  Its actions
 * are events of their own all the same (VM_ACCESS_NEXT), since other executions may have
 * another thread there. */
static inline bool vm_is_sole(const struct vm *vm)
{
    return vm->s.alone && vm->s.concurrent && !vm->s.begun && !vm_has_deferred(vm);
}
/* Logs an access of an object if other threads can reach it. */
static inline void vm_log_access(struct vm *vm, const struct vm_obj *o, uint64_t p,
                                 uint64_t size, bool write, enum vm_access_kind kind)
{
    if (!(o->flags & (VM_SHARED | VM_LOGGED)) || !vm_access_log_on(vm))
        return;
    vm_access_log_append(vm, p, size, write, o->flags & VM_LOGGED ? VM_ACCESS_KERNEL : kind);
    if (o->flags & VM_SHARED && vm_in_section(vm))
        vm_access_log_append(vm, p, size, write, VM_ACCESS_CHECK);
}
/* Logs an update of up to 8 bytes that writes only if the value in memory equals the operand,
 * or only if it does not. */
void vm_access_log_update(struct vm *vm, const struct vm_obj *o, uint64_t p, uint64_t size,
                          enum vm_access_if writes_if, uint64_t operand);
/* Notes that the write to p that this entry of the log says leaves what was there. */
void vm_access_log_same(struct vm *vm, size_t entry, uint64_t p);
/* Logs an atomic access that can write; last: it comes after all stores of its place. */
void vm_access_log_picked(struct vm *vm, const struct vm_obj *o, uint64_t p, uint64_t size,
                          bool writes, bool last);

/* The wait of a thread; names are not filled in. */
struct vm_await vm_wait_of(const struct vm *vm, uint64_t thread);
/* The kernel's list of threads, whose last n words point to them; NULL if there is none. */
const struct vm_obj *vm_list_threads(const struct vm *vm, size_t *n);
/* The name of the object at p that is the same in all executions (heap/names.h). */
static inline uint64_t vm_named(const struct vm *vm, uint64_t p)
{
    return vm_namer_call(&vm->heap.namer, p);
}

#endif
