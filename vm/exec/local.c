/* local.c - local variables that are objects: made by allocas, in a list per frame; they end
 * with their block, or the call. */
#include "vm/exec/access.h"
#include "vm/exec/access_log.h"
#include "vm/exec/buffer.h"
#include "vm/exec/call.h"
#include "vm/exec/late.h"
#include "vm/exec/listen.h"
#include "vm/exec/mode.h"
#include "vm/exec/register.h"
#include "vm/heap/memory.h"
#include "vm/machine.h"

/* Makes an object of the running frame. */
static uint64_t make_local(struct vm *vm, uint64_t size, uint64_t site)
{
    uint64_t p = vm_heap_make(&vm->heap, (uint32_t)size, VM_OBJ_STACK, site);
    struct vm_obj *frame = vm_heap_get(&vm->heap, vm->s.frame);
    struct vm_obj *o = vm_heap_get(&vm->heap, p);
    o->link = frame->link;
    vm_obj_set_owner(o, vm_ptr_index(vm->s.frame));
    frame->link = vm_ptr_index(p);
    vm_owner_take(vm, p);
    vm_note_made(vm, p);
    return p;
}

uint64_t vm_alloca(struct vm *vm, uint64_t size)
{
    return make_local(vm, size, vm_in_kernel(vm) ? 0 : vm_user_site(vm));
}

enum vm_step vm_make_alloca(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint64_t size = i->k;
    if (i->flags) {
        if (vm_mask(f, i->a) != ~0ull)
            return vm_fault(vm, VM_FAULT_UNDEFINED, "array of undefined length");
        if (__builtin_mul_overflow(size, vm_get(f, i->a), &size))
            size = UINT64_MAX;
    }
    if (size > 0x7fffffff)
        return vm_fault(vm, VM_FAULT_LIMIT, "a local variable of more than 2 GiB");
    size_t limit = size >= VM_LARGE ? vm_limit_met(vm, size) : 0; /* the call has asked, too */
    if (limit)
        return vm_fault(vm, VM_FAULT_LIMIT,
                        "a local variable of %llu bytes: the limit is %zu in all",
                        (unsigned long long)size, limit);
    if (size >= VM_LARGE && !vm_has_room(size + size / 4))
        return vm_halt(vm);
    bool named = i->b && !vm_in_kernel(vm); /* in the user's code, or in what makes a fixture */
    uint64_t p = named ? make_local(vm, size, f->data[1]) : vm_alloca(vm, size);
    vm_set(f, i->d, p, 0xffff);
    return VM_STEP_NEXT;
}

/* ---- ends ------------------------------------------------------------------------ */

/* Ends a local variable: a write of the whole object, as if a call freed it.  (In the kernel
 * that is no plain access, which would race with plain ones: hence the check.) */
static enum vm_step end_local(struct vm *vm, uint64_t p, const struct vm_obj *o)
{
    uint64_t size = o->size ? o->size : 1;
    enum vm_step step = vm_meet_others(vm, o);
    if (step != VM_STEP_NEXT)
        return step;
    if (vm_access_log_on(vm)) {
        vm_access_log_append(vm, p + VM_EXISTENCE, 1, true, VM_ACCESS_KERNEL);
        vm_access_log_append(vm, p, size, true, VM_ACCESS_PLAIN);
        vm_access_log_append(vm, p, size, true, VM_ACCESS_CHECK);
    }
    const struct vm_entry *e =
        vm->options.report_races ? vm_race_end_conflict(vm, p, size) : NULL;
    if (!e)
        return vm_buffers_leave(vm, p, o, VM_FAULT_END_RACE, "end");
    return (enum vm_step)vm_race_fault_as(vm, VM_FAULT_END_RACE, e, p, size, "end");
}

/* Is there nobody whose use of a variable could race with its end?  Threads that have ended may
 * have used it, and nothing have ordered that. */
static bool is_unused(const struct vm *vm)
{
    return vm->s.reg[VM_REG_FLAGS] & VM_FLAG_ALONE && !vm->race.order;
}

enum vm_step vm_end_locals(struct vm *vm, uint64_t frame, uint64_t until)
{
    enum vm_step step = VM_STEP_NEXT;
    while (frame && frame != until && step == VM_STEP_NEXT) {
        const struct vm_obj *f = vm_heap_get(&vm->heap, frame);
        step = vm_end_some_locals(vm, f->link, 0);
        frame = f->data[0];
    }
    return step;
}

enum vm_step vm_end_thread(struct vm *vm)
{
    enum vm_step step = vm_end_locals(vm, vm->s.frame, 0);
    uint64_t tls = vm->s.reg[VM_REG_TLS];
    const struct vm_obj *memory = tls ? vm_heap_get(&vm->heap, tls) : NULL;
    if (!memory || is_unused(vm))
        return step;
    for (uint32_t k = 0; k < vm->program->nthread_locals && step == VM_STEP_NEXT; k++) {
        const struct vm_obj *variable = vm_heap_get(&vm->heap, memory->data[k]);
        if (variable->flags & VM_SHARED)
            step = end_local(vm, memory->data[k], variable);
    }
    return step == VM_STEP_NEXT && memory->flags & VM_SHARED ? end_local(vm, tls, memory)
                                                             : step;
}

enum vm_step vm_end_some_locals(struct vm *vm, uint32_t first, uint32_t keep)
{
    enum vm_step step = VM_STEP_NEXT;
    if (is_unused(vm))
        return step;
    for (uint32_t a = first; a && a != keep && step == VM_STEP_NEXT;) {
        uint64_t p = vm_ptr(VM_ID_HEAP, a, 0);
        const struct vm_obj *o = vm_heap_get(&vm->heap, p);
        a = o->link;
        if (o->flags & VM_SHARED)
            step = end_local(vm, p, o);
    }
    return step;
}

static bool is_in_list(struct vm *vm, const struct vm_obj *frame, uint32_t a)
{
    uint32_t at = frame->link;
    while (at && at != a)
        at = vm_heap_get(&vm->heap, vm_ptr(VM_ID_HEAP, at, 0))->link;
    return at;
}

/* Was alloca o made by the instruction of the running function that has this number? */
static bool has_number(const struct vm *vm, const struct vm_obj *o, uint64_t pc,
                       uint64_t number)
{
    if (vm_ptr_object(o->site) != vm_ptr_object(pc))
        return false;
    const struct vm_insn *i = &vm->program->functions[vm_ptr_index(pc)].code[(uint32_t)o->site];
    return i->op == VM_OP_ALLOCA && !i->flags && i->a == number;
}

/* Ends the variable of an alloca.  The alloca's register need not have its address any more,
 * since nothing but this instruction needs it. */
enum vm_step vm_end_alloca(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint64_t before = vm->s.frame;
    struct vm_obj *from = f, *o = NULL;
    while (from->link) {
        uint64_t p = vm_ptr(VM_ID_HEAP, from->link, 0);
        o = vm_heap_get(&vm->heap, p);
        if (has_number(vm, o, f->data[1], i->k))
            break;
        before = p;
        from = o;
    }
    if (!from->link)
        return VM_STEP_NEXT; /* it has not begun */
    uint32_t next = o->link;
    enum vm_step step =
        vm_can_race(vm) ? vm_end_some_locals(vm, from->link, next) : VM_STEP_NEXT;
    if (step != VM_STEP_NEXT)
        return step;
    uint64_t p = vm_ptr(VM_ID_HEAP, from->link, 0);
    vm_heap_own(&vm->heap, before, from)->link = next;
    vm_note_freed(vm, p);
    vm_heap_free(&vm->heap, p);
    return VM_STEP_NEXT;
}

enum vm_step vm_restore_stack(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    if (vm_mask(f, i->a) != ~0ull)
        return vm_fault(vm, VM_FAULT_UNDEFINED, "the stack is restored to an undefined mark");
    uint32_t keep = vm_ptr_index(vm_get(f, i->a));
    if (keep && !is_in_list(vm, f, keep))
        return VM_STEP_NEXT; /* the variable that stood there has ended with its block */
    enum vm_step step = vm_can_race(vm) ? vm_end_some_locals(vm, f->link, keep) : VM_STEP_NEXT;
    if (step != VM_STEP_NEXT)
        return step;
    while (f->link && f->link != keep) {
        uint64_t p = vm_ptr(VM_ID_HEAP, f->link, 0);
        f->link = vm_heap_get(&vm->heap, p)->link;
        vm_note_freed(vm, p);
        vm_heap_free(&vm->heap, p);
    }
    return VM_STEP_NEXT;
}
