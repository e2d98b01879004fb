/* blame.c - finds where an undefined value comes from, for the report of its use.
 *
 * While somebody listens, the loads of undefined bytes are noted.  From the instruction
 * that uses the value, this looks back in the code of the frame and of its callers for
 * the load that gave the register its value. */
#include <stdio.h>
#include <string.h>

#include "vm/exec/access.h"
#include "vm/exec/call.h"
#include "vm/exec/listen.h"
#include "vm/exec/register.h"
#include "vm/machine.h"

enum { MAX_STEPS = 64 };

struct trail {
    const struct vm *vm;
    uint64_t frame;
    const struct vm_function *f;
    uint32_t at; /* the instruction that uses the register */
    unsigned steps;
};

static bool is_load(const struct vm_insn *i)
{
    return (i->op >= VM_OP_LOAD1 && i->op <= VM_OP_LOADN) ||
           (i->op >= VM_OP_LOADX1 && i->op <= VM_OP_LOADX8) || i->op == VM_OP_ALOAD;
}

/* Does the instruction make one result of a, or of a and b? */
static bool passes_on(const struct vm_insn *i, bool *two)
{
    unsigned op = vm_first_op(i->op);
    *two = (op >= VM_OP_ADD && op <= VM_OP_OR_F) || (op >= VM_OP_EQ && op <= VM_OP_SLE) ||
           (op >= VM_OP_FADD32 && op <= VM_OP_FREM64) || op == VM_OP_FCMP32 ||
           op == VM_OP_FCMP64 || op == VM_OP_INDEX;
    return *two || op == VM_OP_MOV || (op >= VM_OP_ADD_K && op <= VM_OP_MUL_NSW_K) ||
           (op >= VM_OP_EQ_K && op <= VM_OP_SEXT) || (op >= VM_OP_FNEG && op <= VM_OP_PTRADD);
}

/* Goes on with the caller's register behind a parameter; false if it is no register. */
static bool to_caller(struct trail *t, uint32_t *reg)
{
    uint32_t parameter = *reg - VM_FRAME_HEADER;
    const struct vm_insn *call;
    uint64_t parent = vm_heap_get(&t->vm->heap, t->frame)->data[0];
    const struct vm_function *f = vm_frame_function(t->vm, parent, &call);
    if (parameter >= t->f->nparams || !f || (call->op != VM_OP_CALL && call->op != VM_OP_CALLI))
        return false;
    const struct vm_call *c = &t->vm->program->calls[call->b];
    struct vm_arg arg = t->vm->program->args[c->first + parameter];
    if (parameter >= c->nfixed || arg.src & VM_ARG_CONST)
        return false;
    *t = (struct trail){.vm = t->vm,
                        .frame = parent,
                        .f = f,
                        .at = (uint32_t)(call - f->code),
                        .steps = t->steps};
    *reg = arg.src;
    return true;
}

/* Returns the instruction before t->at that gave reg its value, or NULL. */
static const struct vm_insn *definition(const struct trail *t, uint32_t reg, bool *two)
{
    for (uint32_t at = t->at; at-- > 0;) {
        const struct vm_insn *i = &t->f->code[at];
        if (i->d == reg && (is_load(i) || passes_on(i, two)))
            return i;
    }
    return NULL;
}

/* Returns the address of the undefined byte that was read, or 0. */
static uint64_t origin(struct trail t, uint32_t reg)
{
    while (t.steps++ < MAX_STEPS) {
        bool two = false;
        const struct vm_insn *i = definition(&t, reg, &two);
        if (!i) {
            if (!to_caller(&t, &reg))
                return 0;
            continue;
        }
        t.at = (uint32_t)(i - t.f->code);
        if (is_load(i))
            return vm_undefined_read(t.vm, t.frame, t.at);
        uint64_t p = two ? origin(t, i->b) : 0;
        if (p)
            return p;
        reg = i->a;
    }
    return 0;
}

/* Lists the registers that the faulting instruction reads. */
static unsigned read_by(const struct vm *vm, const struct vm_insn *i, uint32_t *reg)
{
    if (i->op == VM_OP_CALL || i->op == VM_OP_CALLI) {
        const struct vm_call *c = &vm->program->calls[i->b];
        unsigned n = 0;
        for (uint32_t k = 0; k < c->nfixed && n < 8; k++) {
            uint32_t src = vm->program->args[c->first + k].src;
            if (!(src & VM_ARG_CONST))
                reg[n++] = src;
        }
        return n;
    }
    reg[0] = i->a, reg[1] = i->b, reg[2] = i->d;
    return i->op >= VM_OP_MEMCPY && i->op <= VM_OP_MEMSET    ? 3
           : i->op >= VM_OP_BR_EQ_K && i->op <= VM_OP_SWITCH ? 1
                                                             : 2;
}

void vm_blame(const struct vm *vm, char *text, size_t size)
{
    const struct vm_insn *i;
    const struct vm_function *f = vm_frame_function(vm, vm->s.frame, &i);
    uint32_t reg[8];
    unsigned n = f ? read_by(vm, i, reg) : 0;
    for (unsigned k = 0; k < n; k++) {
        struct trail t = {
            .vm = vm, .frame = vm->s.frame, .f = f, .at = (uint32_t)(i - f->code)};
        const struct vm_obj *frame = vm_heap_get(&vm->heap, t.frame);
        uint64_t p =
            reg[k] >= f->nregs || vm_mask(frame, reg[k]) == ~0ull ? 0 : origin(t, reg[k]);
        if (!p)
            continue;
        int length = snprintf(text, size, ", read from ");
        vm_describe(vm, p, text + length, size - (size_t)length);
        return;
    }
}
