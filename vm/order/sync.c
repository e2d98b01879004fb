/* sync.c - synchronisation beside atomic accesses: fences, and the kernel (order.h). */
#include "order.h"
#include "seq_cst.h"
#include "vm/heap/memory.h"

void vm_order_fence(struct vm *vm, bool acquires, bool releases, bool seq_cst)
{
    struct vm_order *o = vm->race.order;
    uint32_t me = vm_order_present(vm);
    if (acquires) {
        uint32_t pending = vm_order_pending(vm);
        vm_order_join(o, me, pending);
        vm_order_forget(o, pending);
    }
    if (seq_cst && o->values)
        vm_seq_cst_fence(vm);
    if (releases) {
        o->changed |= vm_order_fixed(vm) == VM_NO_HOLDER;
        vm_order_join(o,
                      vm_order_holder(o, (struct vm_holder){.thread = vm_order_running(vm),
                                                            .kind = VM_OF_RELEASE}),
                      me);
    }
}

/* ---- the kernel ------------------------------------------------------------------ */

enum orders { NONE, OBJECT, ALL, THREAD };

static const enum orders orders_of[] = {
#define VM_ACTION(name, text, orders, reads, shown) orders,
#include "vm/action.def"
};

/* Is it an access of the running thread, or of one that is gone, which this one may have
 * joined? */
static bool is_own(const struct vm *vm, const struct vm_item *item)
{
    uint64_t owner = item->access.owner;
    bool gone = vm_order_lingers(vm) && !(owner && vm_heap_get(&vm->heap, owner));
    return item->kind == VM_ITEM_ACCESS && (gone || owner == vm_order_running(vm));
}

bool vm_order_is_open(const struct vm *vm, enum vm_action action, uint64_t p)
{
    const struct vm_order *o = vm->race.order;
    uint32_t kernel = orders_of[action] == NONE
                          ? VM_NO_HOLDER
                          : vm_order_kernel(vm, orders_of[action] == OBJECT ? p : 0);
    for (size_t k = 0; k < o->nitems; k++)
        if (is_own(vm, &o->items[k]) && !vm_order_has(o, k, kernel))
            return true;
    return false;
}

void vm_order_pass(struct vm *vm, uint64_t p, bool gives)
{
    struct vm_order *o = vm->race.order;
    if (!o->nitems)
        return;
    if (gives)
        vm_order_join(o, vm_order_holder(o, vm_order_object(vm, p)), vm_order_present(vm));
    else
        vm_order_join(o, vm_order_present(vm), vm_order_kernel(vm, p));
}

bool vm_order_is_general(enum vm_action action, bool *learns)
{
    *learns = orders_of[action] == ALL;
    return *learns || orders_of[action] == THREAD;
}

void vm_order_arrive(struct vm *vm, bool begins)
{
    vm_order_pass(vm, begins ? vm_order_running(vm) : 0, false);
}

void vm_order_call(struct vm *vm, enum vm_action action, uint64_t p)
{
    enum orders orders = orders_of[action];
    if (orders == NONE)
        return;
    p = orders == OBJECT ? p : 0;
    if (orders != THREAD)
        vm_order_pass(vm, p, false);
    vm_order_pass(vm, p, true);
}
