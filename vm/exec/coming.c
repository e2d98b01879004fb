/* coming.c - the next action of a thread: it stands before a visible action, whose operands are
 * in its frame. */
#include <string.h>

#include "vm/exec/call.h"
#include "vm/exec/register.h"
#include "vm/machine.h"

static uint64_t frame_of(const struct vm *vm, uint64_t thread)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, thread);
    struct vm_saved saved = {0};
    if (o && (uint64_t)(uint32_t)thread + sizeof saved <= o->size)
        memcpy(&saved, (const char *)o->data + (uint32_t)thread, sizeof saved);
    return (uint64_t)saved.frame;
}

struct vm_coming vm_coming(const struct vm *vm, uint64_t thread)
{
    const struct vm_insn *i;
    uint64_t frame = frame_of(vm, thread);
    const struct vm_function *f = frame ? vm_frame_function(vm, frame, &i) : NULL;
    const struct vm_obj *o = f ? vm_heap_get(&vm->heap, frame) : NULL;
    struct vm_coming coming = {0};
    if (!o)
        return coming;
    coming.frame = frame;
    if (i->op == VM_OP_INTERRUPT_MEM) {
        unsigned action = (unsigned)vm_get(o, i->d);
        action &= ~(unsigned)(VM_ACT_CONDITIONAL | VM_ACT_READY);
        coming.action = (enum vm_action)action;
        coming.addr = vm_get(o, i->a);
        coming.size = (uint32_t)vm_get(o, i->b);
        coming.write = action != VM_ACT_LOAD;
    } else if (i->op == VM_OP_ALOAD || i->op == VM_OP_ASTORE || i->op == VM_OP_RMW ||
               i->op == VM_OP_CMPXCHG) {
        coming.addr = vm_get(o, i->a);
        coming.size = (uint32_t)(i->k & 255);
        coming.write = i->op != VM_OP_ALOAD;
        coming.action = i->op == VM_OP_ALOAD    ? VM_ACT_LOAD
                        : i->op == VM_OP_ASTORE ? VM_ACT_STORE
                        : i->op == VM_OP_RMW    ? VM_ACT_RMW
                                                : VM_ACT_CMPXCHG;
    }
    return coming;
}
