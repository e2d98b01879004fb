/* may_write.c - see may_write.h. */
#include "may_write.h"

#include <assert.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/machine.h"

/* Reads an object of another thread without a note in the read set: the running thread does not
 * depend on it. */
static const struct vm_obj *without_note(const struct vm *vm, uint64_t p)
{
    struct vm_heap *h = (struct vm_heap *)&vm->heap;
    unsigned region = vm_ptr_region(p);
    uint32_t index = vm_ptr_index(p);
    return index < h->table[region].n ? *vm_readset_place(h, region, index) : NULL;
}

static const struct vm_obj *frame_at(const struct vm *vm, uint64_t frame,
                                     const struct vm_function **f, uint32_t *pc)
{
    const struct vm_obj *o = without_note(vm, frame);
    uint64_t at = o->data[1];
    *f = &vm->program->functions[vm_ptr_index(at)];
    *pc = (uint32_t)at;
    return o;
}

/* Returns what a frame below another may write: the call for which it waits, and what comes
 * after; or all that it is about to do, if a signal interrupted it there. */
static uint64_t below_another(const struct vm *vm, const struct vm_function *f, uint32_t pc)
{
    unsigned op = vm_first_op(f->code[pc].op);
    if ((op != VM_OP_CALL && op != VM_OP_CALLI) || f->keeps_all)
        return f->may_write[pc];
    const struct vm_call *c = &vm->program->calls[f->code[pc].b];
    return c->through | (pc + 1 < f->ncode ? f->may_write[pc + 1] : 0) |
           (c->unwind ? f->may_write[c->unwind] : 0);
}

static bool can_write(const struct vm *vm, uint64_t thread, uint64_t bit)
{
    const struct vm_obj *o = without_note(vm, thread);
    const struct vm_function *f;
    uint32_t pc;
    if (!o) /* it was joined in this transition */
        return false;
    uint64_t frame = vm_obj_get(o, (uint32_t)thread, 8);
    for (bool top = true; frame; top = false) {
        o = frame_at(vm, frame, &f, &pc);
        if (f->may_write && (top ? f->may_write[pc] : below_another(vm, f, pc)) & bit)
            return true;
        frame = o->data[0];
    }
    return false;
}

uint64_t vm_may_write_label(const struct vm *vm, uint32_t number)
{
    assert(number && number <= VM_MAX_TRACKED);
    uint64_t bit = (uint64_t)1 << (number - 1);
    uint32_t scheduler = vm_ptr_index(vm->s.reg[VM_REG_SCHEDULER]);
    const struct vm_function *f = &vm->program->functions[scheduler];
    bool written = f->may_write && f->may_write[0] & bit;
    for (uint64_t k = vm->nlisted; k-- > 0 && !written;) /* the main thread often waits */
        written = vm->listed[k] != vm->chosen && can_write(vm, vm->listed[k], bit);
    return written ? 2 : 1;
}

void vm_may_write_start(struct vm *vm)
{
    vm->nlisted = 0;
}

void vm_may_write_list(struct vm *vm, const uint64_t *threads, uint64_t n)
{
    if (!vm->tracks)
        return;
    if (n > vm->listed_capacity) {
        vm->listed_capacity = 2 * n;
        vm->listed = vm_resize(vm->listed, vm->listed_capacity * sizeof *vm->listed);
    }
    memcpy(vm->listed, threads, n * sizeof *threads);
    vm->nlisted = n;
}

void vm_may_write_choose(struct vm *vm, uint64_t thread)
{
    vm->chosen = thread;
}

bool vm_may_write_passes(struct vm *vm, uint64_t p)
{
    struct vm_scalars *s = &vm->s;
    if (!vm->nlisted || s->first || s->begun || vm_ptr_region(p) != VM_ID_GLOBAL)
        return false;
    const struct vm_program *program = vm->program;
    uint32_t index = vm_ptr_index(p); /* arguments of main come after those that were loaded */
    uint8_t number = index < program->nloaded_globals ? program->tracked[index] : 0;
    if (!number || s->passed == VM_MAX_PASSED)
        return false;
    vm_readset_note_may_write(&vm->heap, number);
    if (vm_may_write_label(vm, number) == 2)
        return false;
    s->passed++;
    return true;
}
