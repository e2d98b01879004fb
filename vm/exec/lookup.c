/* lookup.c - variables and functions of a program by name, and their values in a state, for
 * expressions over variables. */
#include <stdio.h>
#include <string.h>

#include "history.h"
#include "vm/exec/access_log.h"
#include "vm/exec/call.h"
#include "vm/exec/register.h"

/* ---- the program ----------------------------------------------------------------- */

void vm_list_globals(const struct vm_program *p, vm_know *know, void *context)
{
    for (uint32_t k = 0; k < p->nglobals; k++) {
        const struct vm_global *g = &p->globals[k];
        struct vm_known known = {
            .name = g->name, .type = g->type, .addr = vm_ptr(VM_ID_GLOBAL, k, 0)};
        if (!g->library && g->type && g->name)
            know(context, &known);
    }
}

void vm_list_functions(const struct vm_program *p, vm_know *know, void *context)
{
    for (uint32_t k = 0; k < p->nfunctions; k++)
        if (p->functions[k].defined && !p->functions[k].library)
            know(context, &(struct vm_known){.name = p->functions[k].name, .function = k});
}

void vm_list_thread_locals(const struct vm_program *p, vm_know *know, void *context)
{
    for (uint32_t k = 0; k < p->nthread_locals; k++) {
        const struct vm_global *g = &p->consts[p->thread_locals_const + k];
        if (g->type && g->name)
            know(context, &(struct vm_known){.name = g->name, .type = g->type, .number = k});
    }
}

void vm_list_types(const struct vm_program *p, vm_know *know, void *context)
{
    for (uint32_t k = 0; k < p->nvariables; k++)
        if (p->variables[k].type)
            know(context, &(struct vm_known){.type = p->variables[k].type});
    vm_list_globals(p, know, context);
    vm_list_thread_locals(p, know, context);
}

/* Is this the first alloca of the variable in the function?  A variable that is made in several
 * places is one. */
static bool is_first(const struct vm_function *f, uint32_t at)
{
    for (uint32_t k = 0; k < at; k++)
        if (f->code[k].op == VM_OP_ALLOCA && f->code[k].b == f->code[at].b)
            return false;
    return true;
}

void vm_list_locals(const struct vm_program *p, uint32_t function, vm_know *know, void *context)
{
    const struct vm_function *f = &p->functions[function];
    for (uint32_t k = 0; k < f->ncode; k++) {
        if (f->code[k].op != VM_OP_ALLOCA || !f->code[k].b || !is_first(f, k))
            continue;
        const struct vm_variable *v = &p->variables[f->code[k].b - 1];
        struct vm_known known = {
            .name = v->name, .type = v->type, .variable = v, .function = function};
        if (v->name && *v->name && v->type)
            know(context, &known);
    }
}

/* ---- a state --------------------------------------------------------------------- */

const char *vm_frame_name(const struct vm *vm, uint64_t frame)
{
    const struct vm_function *f = vm_frame_function(vm, frame, NULL);
    return f ? f->name : "";
}

const char *vm_global_name(const struct vm *vm, uint64_t addr)
{
    const struct vm_program *p = vm->program;
    uint32_t k = vm_ptr_index(addr);
    bool is = vm_ptr_region(addr) == VM_ID_GLOBAL && k < p->nglobals && !p->globals[k].library;
    return is && p->globals[k].name ? p->globals[k].name : "";
}

bool vm_frame_is_of(const struct vm *vm, uint64_t frame, uint32_t function)
{
    return vm_frame_function(vm, frame, NULL) == &vm->program->functions[function];
}

bool vm_frame_enters(const struct vm *vm, uint64_t frame)
{
    const struct vm_insn *i;
    if (!vm_frame_function(vm, frame, &i) || i->op != VM_OP_INTERRUPT_MEM)
        return false;
    const struct vm_obj *f = vm_heap_get(&vm->heap, frame);
    return vm_get(f, i->d) == VM_ACT_OBSERVE && vm_get(f, i->b) == VM_OBSERVE_ENTRY;
}

uint64_t vm_thread_local(const struct vm *vm, uint64_t tid, uint32_t number)
{
    size_t n;
    const struct vm_obj *state = vm_list_threads(vm, &n);
    const uint64_t *at = state ? state->data + state->size / sizeof *at - n : NULL;
    for (; state && n; n--, at++) {
        const struct vm_obj *record = vm_heap_get(&vm->heap, *at);
        struct vm_trace_run run;
        if (!record || record->size < sizeof run)
            continue;
        memcpy(&run, record->data, sizeof run);
        const struct vm_obj *own =
            run.tid == tid && run.tls ? vm_heap_get(&vm->heap, (uint64_t)run.tls) : NULL;
        if (own && 8 * (uint64_t)number + 8 <= own->size)
            return vm_obj_get(own, 8 * number, 8);
    }
    return 0;
}

bool vm_has_ended(const struct vm *vm, uint64_t handle)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, handle);
    uint32_t index = vm_ptr_index(handle);
    bool was = vm_ptr_region(handle) == VM_ID_HEAP && index &&
               index < vm->heap.table[VM_ID_HEAP].n && !(uint32_t)handle;
    if (!o)
        return was;
    return was && o->kind == VM_OBJ_KERNEL && o->size >= sizeof(struct vm_trace_run) &&
           !o->data[0];
}

static bool is_one_of(const struct vm_variable *v, const struct vm_variable *const *variables,
                      size_t n)
{
    for (size_t k = 0; v && k < n; k++)
        if (variables[k] == v)
            return true;
    return false;
}

/* Finds a local variable.  The list begins with the one that was made last. */
uint64_t vm_local(const struct vm *vm, uint64_t frame,
                  const struct vm_variable *const *variables, size_t n)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, frame);
    uint64_t found = 0;
    for (uint32_t k = o && o->kind == VM_OBJ_FRAME ? o->link : 0; k; k = o->link) {
        uint64_t p = vm_ptr(VM_ID_HEAP, k, 0);
        o = vm_heap_get(&vm->heap, p);
        if (!is_one_of(vm_variable_of(vm, o->site), variables, n))
            continue;
        if (o->size && vm_obj_mask(o, 0, 1) == 0xff)
            return p;
        found = found ? found : p;
    }
    return found;
}

bool vm_read_bits(const struct vm *vm, uint64_t p, uint32_t first, uint32_t bits,
                  uint64_t *value)
{
    const struct vm_obj *o = p ? vm_heap_get(&vm->heap, p) : NULL;
    uint32_t at = (uint32_t)p, size = (first + bits + 7) / 8;
    if (!o || o->kind == VM_OBJ_FRAME || size - 1 > 7 || (uint64_t)at + size > o->size ||
        (vm_obj_mask(o, at, size) >> first & vm_low(bits)) != vm_low(bits))
        return false;
    *value = vm_obj_get(o, at, size) >> first & vm_low(bits);
    return true;
}

bool vm_read_bytes(const struct vm *vm, uint64_t p, uint32_t size, uint64_t *value)
{
    const struct vm_obj *o = p ? vm_heap_get(&vm->heap, p) : NULL;
    uint32_t at = (uint32_t)p;
    if (!o || o->kind == VM_OBJ_FRAME || size - 1 > 7 || (uint64_t)at + size > o->size ||
        vm_obj_mask(o, at, size) != vm_low(8 * size))
        return false;
    *value = vm_obj_get(o, at, size);
    return true;
}

const struct vm_type *vm_chosen(const struct vm *vm, uint64_t frame, char *name, size_t n)
{
    const struct vm_program *p = vm->program;
    const struct vm_insn *i;
    const struct vm_function *f = vm_frame_function(vm, frame, &i);
    while (f && f->library) {
        frame = vm_caller(vm, frame);
        f = frame ? vm_frame_function(vm, frame, &i) : NULL;
    }
    uint32_t loc = f && f->locs ? f->locs[i - f->code] : 0;
    uint32_t chosen = loc && p->locs[loc].chooses ? p->locs[loc].made : 0;
    snprintf(name, n, "%s", chosen ? p->made[chosen - 1].name : "");
    return chosen ? p->made[chosen - 1].type : NULL;
}
