/* future.c - see future.h. */
#include "future.h"

#include "machine.h"
#include "memory.h"

static void add(struct vm_future *to, struct vm_future more)
{
    to->reads |= more.reads;
    to->writes |= more.writes;
}

static const struct vm_insn *insn_of(const struct vm *vm, uint64_t frame,
                                     const struct vm_function **f)
{
    const struct vm_insn *i = NULL;
    *f = vm_frame_function(vm, frame, &i);
    return i;
}

/* Where it waits for a call: afterwards. */
static void add_caller(const struct vm *vm, uint64_t frame, struct vm_future *to)
{
    const struct vm_function *f;
    const struct vm_insn *i = insn_of(vm, frame, &f);
    const struct vm_call *c = &vm->program->calls[i->b];
    uint32_t after = (uint32_t)(i - f->code) + 1;
    if (!f->future)
        return;
    add(to, c->through);
    if (after < f->ncode)
        add(to, f->future[after]);
    if (c->unwind)
        add(to, f->future[c->unwind]);
}

static uint64_t parent_of(const struct vm *vm, uint64_t frame)
{
    return vm_heap_get(&vm->heap, frame)->data[0];
}

static struct vm_future of_thread(const struct vm *vm, uint64_t thread)
{
    struct vm_future all = {0};
    const struct vm_obj *o = vm_heap_get(&vm->heap, thread);
    uint64_t frame = vm_obj_get(o, (uint32_t)thread, 8);
    if (!frame) /* it has ended */
        return all;
    const struct vm_function *f;
    const struct vm_insn *i = insn_of(vm, frame, &f);
    if (f->future)
        add(&all, f->future[i - f->code]);
    while ((frame = parent_of(vm, frame)))
        add_caller(vm, frame, &all);
    return all;
}

void vm_future_list(struct vm *vm, const uint64_t *threads, uint64_t n)
{
    if (!vm->futures)
        return;
    for (uint64_t k = 0; k < n; k++)
        vm->futures[k] = of_thread(vm, threads[k]);
    vm->nfutures = n;
}

/* What the scheduler itself may call counts as another thread's. */
uint64_t vm_future_choose(const struct vm *vm, uint32_t place)
{
    if (!vm->futures)
        return 0;
    uint32_t scheduler = vm_ptr_index(vm->s.reg[VM_REG_SCHEDULER]);
    const struct vm_function *f = &vm->program->functions[scheduler];
    uint64_t written = f->future ? f->future[0].writes : 0;
    for (uint64_t k = 0; k < vm->nfutures; k++)
        if (k != place)
            written |= vm->futures[k].writes;
    return vm->futures[place].reads & ~written;
}

bool vm_future_passes(struct vm *vm, uint64_t p)
{
    struct vm_scalars *s = &vm->s;
    if (!s->unwritten || s->first || vm_ptr_region(p) != VM_ID_GLOBAL)
        return false;
    uint8_t number = vm->program->watched[vm_ptr_index(p)];
    return number && s->unwritten >> (number - 1) & 1 && s->passed++ < VM_MAX_PASSED;
}
