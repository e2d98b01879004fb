/* call.c - activation frames: calls, returns, faults. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "vm/exec/access.h"
#include "vm/exec/atomic.h"
#include "vm/exec/call.h"
#include "vm/exec/late.h"
#include "vm/exec/listen.h"
#include "vm/exec/mode.h"
#include "vm/exec/profile.h"
#include "vm/exec/register.h"
#include "vm/exec/transition.h"
#include "vm/heap/memory.h"
#include "vm/machine.h"

const struct vm_function *vm_frame_function(const struct vm *vm, uint64_t frame,
                                            const struct vm_insn **insn)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, frame);
    if (!o || o->kind != VM_OBJ_FRAME || o->size < 16)
        return NULL;
    uint64_t pc = o->data[1];
    if (vm_ptr_region(pc) != VM_ID_CODE || vm_ptr_index(pc) >= vm->program->nfunctions)
        return NULL;
    const struct vm_function *f = &vm->program->functions[vm_ptr_index(pc)];
    if ((uint32_t)pc >= f->ncode)
        return NULL;
    if (insn)
        *insn = &f->code[(uint32_t)pc];
    return f;
}

static void set_pc(struct vm_obj *frame, uint32_t function, uint32_t at)
{
    vm_set(frame, 1, vm_ptr(VM_ID_CODE, function, at), 0xffff);
}

uint64_t vm_frame_make(struct vm *vm, uint32_t function, uint64_t parent)
{
    const struct vm_function *f = &vm->program->functions[function];
    uint32_t size = f->nregs * 8;
    uint64_t p = parent ? vm_heap_make_callee(&vm->heap, size, parent)
                        : vm_heap_make_frame(&vm->heap, size, 0);
    struct vm_obj *o = vm_heap_get(&vm->heap, p);
    vm_set(o, 0, parent, parent ? 0xffff : 0x00ff);
    set_pc(o, function, 0);
    vm_note_frame(vm, p);
    return p;
}

/* Returns the user's instruction that is being executed: that of the innermost frame which is
 * not the library's. */
uint64_t vm_user_site(const struct vm *vm)
{
    for (uint64_t p = vm->s.frame; p;) {
        const struct vm_obj *o = vm_heap_get(&vm->heap, p);
        if (!o)
            return 0;
        if (!vm->program->functions[vm_ptr_index(o->data[1])].library)
            return o->data[1];
        p = o->data[0];
    }
    return 0;
}

static void free_frame(struct vm *vm, uint64_t p, const struct vm_obj *frame)
{
    bool kernel = frame->data[0] == 0; /* the scheduler's own frame */
    for (uint32_t a = frame->link; a;) {
        uint64_t q = vm_ptr(VM_ID_HEAP, a, 0);
        a = vm_heap_get(&vm->heap, q)->link;
        vm_note_freed(vm, q);
        vm_heap_free(&vm->heap, q);
        if (vm_in_kernel(vm) || kernel)
            vm_heap_forget(&vm->heap, q, vm->s.first_new);
    }
    vm_heap_free(&vm->heap, p);
}

void vm_save_frame(struct vm *vm, uint64_t save, uint64_t frame)
{
    struct vm_obj *o = save ? vm_heap_get(&vm->heap, save) : NULL;
    if (o && (uint64_t)(uint32_t)save + 8 <= o->size &&
        vm_obj_get(o, (uint32_t)save, 8) != frame)
        vm_obj_put(vm_heap_own(&vm->heap, save, o), (uint32_t)save, 8, frame, ~0ull, 0xff);
}

void vm_drop_stack(struct vm *vm, uint64_t until)
{
    uint64_t stop = 0;
    for (uint64_t p = vm->s.frame; p && !stop;) {
        if (p == until)
            stop = p;
        else
            p = vm_heap_get(&vm->heap, p)->data[0];
    }
    while (vm->s.frame && vm->s.frame != stop) {
        struct vm_obj *o = vm_heap_get(&vm->heap, vm->s.frame);
        uint64_t parent = o->data[0];
        free_frame(vm, vm->s.frame, o);
        vm->s.frame = parent;
    }
}

static void copy_arg(const struct vm *vm, struct vm_obj *to, uint32_t reg,
                     const struct vm_obj *from, struct vm_arg arg)
{
    if (arg.src & VM_ARG_CONST) {
        const struct vm_const *c = &vm->program->values[arg.src & ~VM_ARG_CONST];
        if (c->shadow & 0xff)
            vm_set(to, reg, c->value, c->shadow);
        else
            vm_obj_put(to, reg * 8, 8, 0, 0, 0);
    } else if ((vm_shadow(from, arg.src) & 0xff) == 0xff) {
        vm_set(to, reg, from->data[arg.src], vm_shadow(from, arg.src));
    } else {
        vm_obj_move(to, reg * 8, from, arg.src * 8, 8);
    }
}

/* Makes an object for variadic arguments, 8 bytes each. */
static uint64_t variadic_area(struct vm *vm, const struct vm_call *c, const struct vm_obj *from)
{
    uint64_t p = vm_alloca(vm, c->nvar * 8);
    struct vm_obj *area = vm_heap_get(&vm->heap, p);
    area->flags |= VM_VARIADIC;
    for (uint32_t k = 0; k < c->nvar; k++)
        copy_arg(vm, area, k, from, vm->program->args[c->first + c->nfixed + k]);
    return p;
}

/* Hands byval arguments over: the copies that were made last become the callee's. */
static void hand_over(struct vm *vm, uint32_t n, struct vm_obj *caller, struct vm_obj *callee)
{
    for (uint32_t k = 0; k < n; k++) {
        uint64_t p = vm_ptr(VM_ID_HEAP, caller->link, 0);
        struct vm_obj *o = vm_heap_own(&vm->heap, p, vm_heap_get(&vm->heap, p));
        caller->link = o->link;
        o->link = callee->link;
        callee->link = vm_ptr_index(p);
        vm_obj_set_owner(o, vm_ptr_index(vm->s.frame));
    }
}

/* Returns what is wrong with an argument that its function counts on: a kind of fault, or
 * VM_FAULT_NONE. */
static int check_arguments(const struct vm *vm, const struct vm_call *c, uint32_t nparams,
                           const struct vm_obj *frame)
{
    const struct vm_arg *reg = &vm->program->args[c->first + c->nfixed + c->nvar];
    for (uint32_t k = 0; k < c->nnoundef; k++) {
        uint32_t at = VM_FRAME_HEADER + (reg[k].src & ~VM_ARG_NONNULL);
        if (at >= VM_FRAME_HEADER + nparams)
            continue;
        if ((vm_shadow(frame, at) & 0xff) != 0xff)
            return VM_FAULT_UNDEFINED;
        if (reg[k].src & VM_ARG_NONNULL && vm_get(frame, at) == 0)
            return VM_FAULT_NULL;
    }
    return VM_FAULT_NONE;
}

/* Returns the limit of the guest's memory that would be exceeded, so that a recursion without
 * an end meets it before the host's memory is used up.  An object has a shadow, a head, and
 * places in tables and the log. */
size_t vm_limit_met(const struct vm *vm, uint64_t more)
{
    enum { BESIDE_FRAME = 160, BESIDE = 320 };
    const struct vm_heap *h = &vm->heap;
    const struct vm_options *options = &vm->options;
    uint64_t bytes = h->bytes + more, frames = h->table[VM_ID_FRAME].n;
    if (vm->s.in_fault)
        return 0;
    if (bytes + frames * BESIDE_FRAME > options->max_object_bytes)
        return options->max_object_bytes;
    bool meets = options->max_host_bytes &&
                 bytes + bytes / 4 + (frames + h->nheap) * BESIDE > options->max_host_bytes;
    return meets ? options->max_host_bytes : 0;
}

static enum vm_step fault_too_much(struct vm *vm, const struct vm_function *called)
{
    enum { DEEP = 100000 };
    size_t depth = 0, limit = vm_limit_met(vm, 0);
    for (uint64_t p = vm->s.frame; p; p = vm_heap_get(&vm->heap, p)->data[0])
        depth++;
    if (depth < DEEP)
        return vm_fault(vm, VM_FAULT_LIMIT, "the program uses more than %zu bytes of memory",
                        limit);
    return vm_fault(vm, VM_FAULT_LIMIT,
                    "the program uses more than %zu bytes of memory, %zu calls deep in %s, "
                    "whose recursion perhaps does not end",
                    limit, depth, called->name);
}

/* Does the transition end at this call?  A recursion can be overdue as a loop can.  Calls are
 * not counted, though: a recursion without an end never comes back to a known state, so
 * interrupts would only add states to recursions that do end.  The called function has its
 * arguments and is at its first instruction, as a new thread is; a thread that has to wait for
 * others first (vm_call_deferred) would return to the call instead.  Libraries are not
 * interrupted where they have no loops. */
static bool ends_here(const struct vm *vm, const struct vm_function *called)
{
    return vm_is_overdue(&vm->s) && !called->library &&
           !(vm->s.reg[VM_REG_FLAGS] & VM_FLAG_KERNEL) && !vm->s.in_fault &&
           !vm_has_deferred(vm);
}

enum vm_step vm_call(struct vm *vm, const struct vm_insn *i, uint32_t function,
                     struct vm_obj *caller)
{
    const struct vm_function *f = &vm->program->functions[function];
    const struct vm_call *c = &vm->program->calls[i->b];
    if (vm_is_halted(vm))
        return vm_halt(vm);
    if (vm_limit_met(vm, 0))
        return fault_too_much(vm, f);
    if (i->flags & VM_FENCED)
        vm_fence_before(vm);
    uint64_t p = vm_frame_make(vm, function, vm->s.frame);
    struct vm_obj *o = vm_heap_get(&vm->heap, p);
    uint32_t n = c->nfixed < f->nparams ? c->nfixed : f->nparams;
    for (uint32_t k = 0; k < n; k++)
        copy_arg(vm, o, VM_FRAME_HEADER + k, caller, vm->program->args[c->first + k]);
    int wrong = check_arguments(vm, c, n, o);
    if (wrong) {
        vm_heap_free(&vm->heap, p);
        return vm_fault(vm, wrong, "an argument of %s is %s", f->name,
                        wrong == VM_FAULT_NULL ? "null, which it must not be" : "undefined");
    }
    vm->s.frame = p;
    hand_over(vm, c->nbyval, caller, o);
    if (f->variadic)
        vm_set(o, f->va_reg, variadic_area(vm, c, caller), 0xffff);
    return ends_here(vm, f) ? vm_interrupt(vm) : VM_STEP_RELOAD;
}

static enum vm_step call_no_function(struct vm *vm, uint64_t target)
{
    char text[256];
    vm_describe(vm, target, text, sizeof text);
    return vm_fault(vm, VM_FAULT_BAD_CALL, "call through a pointer that is no function: %s",
                    text);
}

static enum vm_step call_otherwise(struct vm *vm, const struct vm_function *f,
                                   const struct vm_call *c)
{
    if (strcmp(f->name, "__cxa_pure_virtual") == 0) /* it is in place of any other */
        return vm_fault(vm, VM_FAULT_BAD_CALL, "a pure virtual function is called");
    return vm_fault(vm, VM_FAULT_BAD_CALL, "%s is %s, but is called as %s", f->name,
                    vm->program->signatures[f->signature].text,
                    vm->program->signatures[c->signature].text);
}

enum vm_step vm_call_indirect(struct vm *vm, const struct vm_insn *i, struct vm_obj *frame)
{
    uint64_t target = vm_get(frame, i->a);
    const struct vm_call *c = &vm->program->calls[i->b];
    if (vm_mask(frame, i->a) != ~0ull)
        return vm_fault(vm, VM_FAULT_UNDEFINED, "call through an undefined pointer");
    if (target == 0)
        return vm_fault(vm, VM_FAULT_BAD_CALL, "call through a null pointer");
    if (vm_ptr_region(target) != VM_ID_CODE || (uint32_t)target != 0 ||
        vm_ptr_index(target) >= vm->program->nfunctions)
        return call_no_function(vm, target);
    const struct vm_function *f = &vm->program->functions[vm_ptr_index(target)];
    bool passes = f->variadic ? c->nfixed >= f->nparams : f->nparams == c->nfixed && !c->nvar;
    const struct vm_signature *signatures = vm->program->signatures;
    if (f->defined &&
        !vm_ignores_more(&signatures[c->signature], &signatures[f->signature], f) &&
        !(passes && vm_may_be_called(vm->program, c->signature, f)))
        return call_otherwise(vm, f, c);
    return vm_call(vm, i, vm_ptr_index(target), frame);
}

/* Checks the result of a function that promises what it is. */
static enum vm_step check_result(struct vm *vm, const struct vm_insn *i,
                                 const struct vm_obj *frame)
{
    const char *name = vm->program->functions[vm_ptr_index(frame->data[1])].name;
    for (uint32_t k = 0; k < i->b; k++) {
        if ((vm_shadow(frame, i->a + k) & 0xff) != 0xff)
            return vm_fault(vm, VM_FAULT_UNDEFINED, "the result of %s is undefined", name);
        if (i->flags & 2 && vm_get(frame, i->a + k) == 0)
            return vm_fault(vm, VM_FAULT_NULL, "the result of %s is null, which it must not be",
                            name);
    }
    return VM_STEP_NEXT;
}

enum vm_step vm_return(struct vm *vm, const struct vm_insn *i, struct vm_obj *frame)
{
    uint64_t me = vm->s.frame, parent = frame->data[0];
    if (!parent) {
        vm_end_transition(vm, vm->s.in_fault ? VM_FLAG_ERROR : 0);
        return VM_STEP_STOP;
    }
    enum vm_step step = i->flags ? check_result(vm, i, frame) : VM_STEP_NEXT;
    if (step == VM_STEP_NEXT && frame->link && vm_can_race(vm))
        step = vm_end_locals(vm, me, parent);
    if (step != VM_STEP_NEXT)
        return step;
    struct vm_obj *caller = vm_heap_own(&vm->heap, parent, vm_heap_get(&vm->heap, parent));
    const struct vm_insn *call;
    const struct vm_function *f = vm_frame_function(vm, parent, &call);
    assert(f);
    (void)f;
    if (call->op != VM_OP_CALL && call->op != VM_OP_CALLI) { /* see vm_call_deferred */
        free_frame(vm, me, frame);
        vm->s.frame = parent;
        return VM_STEP_RELOAD;
    }
    uint32_t want = vm->program->calls[call->b].nret;
    if (want > i->b) {
        vm->s.frame = parent;
        return vm_fault(vm, VM_FAULT_BAD_CALL, "the function called returns no such value");
    }
    for (uint32_t k = 0; k < want; k++)
        copy_arg(vm, caller, call->d + k, frame, (struct vm_arg){i->a + k});
    free_frame(vm, me, frame);
    vm->s.frame = parent;
    caller->data[1]++;
    return VM_STEP_RELOAD;
}

enum vm_step vm_fault(struct vm *vm, enum vm_fault_kind kind, const char *format, ...)
{
    char message[1024];
    va_list ap;
    vm_late_matters(vm);
    va_start(ap, format);
    int n = vsnprintf(message, sizeof message, format, ap);
    va_end(ap);
    if (kind == VM_FAULT_UNDEFINED && vm->listener && n >= 0 && (size_t)n < sizeof message)
        vm_blame(vm, message + n, sizeof message - (size_t)n);
    vm_tell_described(vm);
    vm_emit(vm, &(struct vm_event){.kind = VM_EVENT_FAULT, .fault = kind, .message = message});
    vm_profile_fault(vm, kind);
    if (!vm->s.in_fault)
        vm_note_failure(vm, kind);
    uint64_t handler = vm->s.reg[VM_REG_FAULT];
    if (vm->s.in_fault || vm_ptr_region(handler) != VM_ID_CODE) {
        vm_end_transition(vm, VM_FLAG_ERROR);
        return VM_STEP_STOP;
    }
    vm->s.in_fault = true;
    uint64_t p = vm_frame_make(vm, vm_ptr_index(handler), 0);
    struct vm_obj *o = vm_heap_get(&vm->heap, p);
    vm_set(o, VM_FRAME_HEADER, kind, 0x00ff);
    vm_set(o, VM_FRAME_HEADER + 1, vm->s.frame, vm->s.frame ? 0xffff : 0x00ff);
    vm->s.frame = p;
    return VM_STEP_RELOAD;
}
