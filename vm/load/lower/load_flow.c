/* load_flow.c - branches, switches and returns. */
#include <stdlib.h>

#include "vm/heap/memory.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_flow.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lowering.h"
#include "vm/load/table.h"

static LLVMValueRef operand(LLVMValueRef i, unsigned k)
{
    return LLVMGetOperand(i, k);
}

void lower_br(struct lowering *w, LLVMValueRef i)
{
    if (!LLVMIsConditional(i)) {
        lower_jump(w, LLVMGetSuccessor(i, 0));
        return;
    }
    uint32_t c = lower_use(w, LLVMGetCondition(i));
    lower_cover_branch(w, i, c);
    lower_emit(w, (struct vm_insn){.op = VM_OP_BR, .a = c});
    uint32_t at = (uint32_t)w->code.n - 1;
    lower_fix(w, at, FIX_HIGH, lower_target(w, LLVMGetSuccessor(i, 0)));
    lower_fix(w, at, FIX_LOW, lower_target(w, LLVMGetSuccessor(i, 1)));
}

struct target {
    uint64_t value;
    unsigned successor;
};

static int by_value(const void *x, const void *y)
{
    const struct target *a = x, *b = y;
    return a->value < b->value ? -1 : a->value > b->value;
}

void lower_switch(struct lowering *w, LLVMValueRef i)
{
    unsigned n = LLVMGetNumSuccessors(i) - 1;
    if (!lower_width(w, LLVMTypeOf(operand(i, 0)))) {
        lower_refuse(w, LLVMTypeOf(operand(i, 0)));
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNREACHABLE});
        return;
    }
    uint32_t a = lower_use(w, operand(i, 0)), first = (uint32_t)w->l->cases.n;
    lower_cover_switch(w, i, a, first, n);
    lower_emit(w, (struct vm_insn){.op = VM_OP_SWITCH, .w = 64, .a = a, .b = n, .k = first});
    uint32_t at = (uint32_t)w->code.n - 1;
    struct target *t = vm_alloc((n + 1) * sizeof *t);
    for (unsigned k = 0; k < n; k++)
        t[k] = (struct target){LLVMConstIntGetZExtValue(operand(i, 2 * k + 2)), k + 1};
    qsort(t, n, sizeof *t, by_value);
    for (unsigned k = 0; k < n; k++) {
        list_push(&w->l->cases, &(struct vm_case){.value = t[k].value});
        lower_fix(w, first + k, FIX_CASE, lower_target(w, LLVMGetSuccessor(i, t[k].successor)));
    }
    lower_fix(w, at, FIX_D, lower_target(w, LLVMGetSuccessor(i, 0)));
    free(t);
}

/* Lowers indirectbr to a switch: a label's address is a number that nothing else
 * understands. */
void lower_indirect(struct lowering *w, LLVMValueRef i)
{
    unsigned n = LLVMGetNumSuccessors(i);
    uint32_t a = lower_use(w, operand(i, 0)), first = (uint32_t)w->l->cases.n;
    lower_emit(w, (struct vm_insn){.op = VM_OP_SWITCH, .w = 64, .a = a, .b = n, .k = first});
    uint32_t at = (uint32_t)w->code.n - 1, wrong = at + 1;
    lower_emit(w, (struct vm_insn){.op = VM_OP_UNREACHABLE});
    struct target *t = vm_alloc((n + 1) * sizeof *t);
    unsigned different = 0;
    for (unsigned k = 0; k < n; k++) {
        uint64_t value = load_label(w->l, w->function, LLVMGetSuccessor(i, k));
        bool known = false;
        for (unsigned j = 0; j < different; j++)
            known |= t[j].value == value;
        if (!known)
            t[different++] = (struct target){value, k};
    }
    qsort(t, different, sizeof *t, by_value);
    for (unsigned k = 0; k < different; k++) {
        list_push(&w->l->cases, &(struct vm_case){.value = t[k].value});
        lower_fix(w, first + k, FIX_CASE, lower_target(w, LLVMGetSuccessor(i, t[k].successor)));
    }
    ((struct vm_insn *)w->code.data)[at].b = different;
    lower_fix(w, at, FIX_HERE, wrong);
    free(t);
}

/* Lowers callbr: assembly without instructions goes on behind it. */
void lower_callbr(struct lowering *w, LLVMValueRef i)
{
    LLVMValueRef code = LLVMGetCalledValue(i);
    size_t n = 1;
    if (LLVMIsAInlineAsm(code))
        LLVMGetInlineAsmAsmString(code, &n);
    if (n == 0 && load_type_regs(w->l, LLVMTypeOf(i)) == 0) {
        lower_jump(w, LLVMGetCallBrDefaultDest(i));
        return;
    }
    lower_unsupported(w, "asm goto", false);
    lower_emit(w, (struct vm_insn){.op = VM_OP_UNREACHABLE});
}

static bool result_has(const struct lowering *w, const char *attribute)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
    return LLVMGetEnumAttributeAtIndex(w->function, LLVMAttributeReturnIndex, kind);
}

void lower_ret(struct lowering *w, LLVMValueRef i)
{
    uint32_t n = 0, a = 0;
    if (LLVMGetNumOperands(i)) {
        a = lower_use(w, operand(i, 0));
        n = load_type_regs(w->l, LLVMTypeOf(operand(i, 0)));
    }
    uint8_t flags = 0;
    bool status = !strcmp(LLVMGetValueName(w->function), "main"); /* in C, too */
    if (w->user && (status || result_has(w, "noundef")))
        flags = result_has(w, "nonnull") ? 3 : 1;
    lower_emit(w, (struct vm_insn){.op = VM_OP_RET, .flags = flags, .a = a, .b = n});
}
