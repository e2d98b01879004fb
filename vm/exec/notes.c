/* notes.c - values of local variables in registers, as NOTEs tell them to a machine with a
 * listener (vm_options.notes).
 *
 * A value is known from its NOTE on, also when its register is used for something else later.
 * It is kept as an object of the variable's size, so that it is shown as a variable in memory
 * is. */
#include <stdlib.h>

#include "history.h"
#include "vm/exec/listen.h"
#include "vm/exec/register.h"
#include "vm/heap/memory.h"

static struct vm_register *find(struct vm_history *h, uint64_t frame, uint32_t variable)
{
    for (size_t k = h->nregisters; k-- > 0;)
        if (h->registers[k].frame == frame && h->registers[k].variable == variable)
            return &h->registers[k];
    return NULL;
}

static struct vm_register *add(struct vm *vm, uint64_t frame, uint32_t variable)
{
    struct vm_history *h = vm->history;
    const struct vm_type *type = vm->program->notes->variables[variable].variable.type;
    if (h->nregisters == h->registers_capacity) {
        h->registers_capacity = h->registers_capacity ? 2 * h->registers_capacity : 64;
        h->registers = vm_resize(h->registers, h->registers_capacity * sizeof *h->registers);
    }
    h->registers[h->nregisters] = (struct vm_register){
        .frame = frame,
        .variable = variable,
        .value = vm_obj_new((uint32_t)type->size, VM_OBJ_PRIVATE),
    };
    return &h->registers[h->nregisters++];
}

/* Writes a value of w bits, in as many bytes as these need: also that of a bool. */
static void put(struct vm_obj *o, uint32_t at, unsigned w, struct vm_value value)
{
    uint32_t n = (w + 7) / 8;
    uint64_t all = vm_low(w);
    bool whole = (value.m & all) == all;
    uint64_t bytes = vm_low(8 * n);
    vm_obj_put(o, at, n, value.v & all, whole ? ~0ull : value.m & bytes, value.p);
}

void vm_note_variable(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f)
{
    const struct vm_program *p = vm->program;
    uint32_t variable = (uint32_t)i->k;
    if (p->notes->variables[variable].variable.type->size > UINT32_MAX)
        return;
    struct vm_register *r = find(vm->history, vm->s.frame, variable);
    if (!r)
        r = add(vm, vm->s.frame, variable);
    r->known = i->flags != VM_NOTE_UNKNOWN;
    if (i->flags == VM_NOTE_CONST) {
        const struct vm_const *c = &p->values[i->a];
        bool defined = (c->shadow & 0xff) == 0xff;
        put(r->value, i->d, i->w,
            (struct vm_value){c->value, defined ? ~0ull : 0, (uint8_t)(c->shadow >> 8)});
    } else if (r->known) {
        put(r->value, i->d, i->w, vm_value_in(f, i->a));
    }
}

void vm_note_frame(struct vm *vm, uint64_t frame)
{
    struct vm_history *h = vm->history;
    size_t n = 0;
    for (size_t k = 0; h && k < h->nregisters; k++) {
        if (h->registers[k].frame == frame)
            vm_obj_release(h->registers[k].value);
        else
            h->registers[n++] = h->registers[k];
    }
    if (h)
        h->nregisters = n;
}

void vm_notes_free(struct vm_history *h)
{
    for (size_t k = 0; k < h->nregisters; k++)
        vm_obj_release(h->registers[k].value);
    free(h->registers);
}
