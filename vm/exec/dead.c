/* dead.c - registers that are not used any more are no part of a state: they are cleared
 * where a thread stops. */
#include <stdlib.h>

#include "vm/exec/call.h"
#include "vm/exec/dead.h"
#include "vm/machine.h"

/* Clears the registers of a stopped frame that no path reads any more. */
static void clear_dead_registers(struct vm *vm, uint64_t p, struct vm_obj *o)
{
    const struct vm_insn *i;
    const struct vm_function *f = vm_frame_function(vm, p, &i);
    if (!f || f->keeps_all)
        return;
    uint32_t set = f->live_at[i - f->code];
    if (!set)
        return;
    const uint64_t *live = f->live + (size_t)(set - 1) * ((f->nregs + 63) / 64);
    uint16_t *s = vm_obj_shadow(o);
    for (uint32_t r = VM_FRAME_HEADER; r < f->nregs; r++) {
        if (live[r / 64] >> (r % 64) & 1 || (o->data[r] == 0 && s[r] == 0x00ff))
            continue;
        o = vm_heap_own(&vm->heap, p, o);
        s = vm_obj_shadow(o);
        o->data[r] = 0;
        s[r] = 0x00ff;
    }
    if (o->bits) {
        bool partial = false;
        for (uint32_t r = 0; r < f->nregs; r++)
            partial |= (s[r] & 0xff) != 0xff;
        if (!partial) {
            o = vm_heap_own(&vm->heap, p, o);
            free(o->bits);
            o->bits = NULL;
        }
    }
}

void vm_clear_dead(struct vm *vm)
{
    if (vm->options.keep_dead_registers)
        return;
    size_t n = vm->heap.nlog;
    for (size_t k = vm->heap.summed ? vm->heap.nsummed : 0; k < n; k++) {
        uint64_t p = vm_ptr(vm->heap.log[k].region, vm->heap.log[k].index, 0);
        struct vm_obj *o =
            vm->heap.log[k].region == VM_ID_FRAME ? vm_heap_get(&vm->heap, p) : NULL;
        bool buffer = vm->heap.log[k].index >= VM_BUFFERS && vm->heap.log[k].index < VM_HOMES;
        if (o && p != vm->s.footprint && !buffer)
            clear_dead_registers(vm, p, o);
    }
}
