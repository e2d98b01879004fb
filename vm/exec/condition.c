/* condition.c - the values in a condition that has led to a call: "60 + 60 <= 100".
 *
 * The branch before the call compared registers of the frame.  They are still there, as long as
 * nothing has been written over them: so nothing is kept while a program runs. */
#include <stdio.h>
#include <string.h>

#include "history.h"
#include "vm/exec/call.h"
#include "vm/exec/register.h"

enum { MAX_DEPTH = 4, TEXT = 64, POINTER = 64 };

struct search {
    const struct vm *vm;
    const struct vm_function *f;
    const struct vm_obj *frame;
    uint32_t end; /* the instruction of the call */
};

static bool ends_block(unsigned op)
{
    return (op >= VM_OP_JMP && op <= VM_OP_SWITCH) || op == VM_OP_RET ||
           op == VM_OP_UNREACHABLE;
}

/* Is everything from there on executed up to the call? */
static bool leads_on(const struct search *search, uint32_t from)
{
    if (from > search->end)
        return false;
    for (uint32_t k = from; k < search->end; k++) {
        const struct vm_insn *i = &search->f->code[k];
        unsigned op = vm_first_op(i->op);
        if (op == VM_OP_JMP && i->k == k + 1)
            continue;
        if (ends_block(op))
            return false;
    }
    return true;
}

/* Does nothing after the instruction write the register? */
static bool is_intact(const struct search *search, uint32_t reg, uint32_t after)
{
    for (uint32_t k = after + 1; k < search->end; k++)
        if (search->f->code[k].d == reg && !ends_block(vm_first_op(search->f->code[k].op)))
            return false;
    return reg < search->f->nregs && vm_mask(search->frame, reg) == ~0ull;
}

static int64_t signed_value(uint64_t value, unsigned w)
{
    return w && w < 64 ? (int64_t)(value << (64 - w)) >> (64 - w) : (int64_t)value;
}

static const char *arithmetic(unsigned op)
{
    return op == VM_OP_ADD || op == VM_OP_ADD_F   ? "+"
           : op == VM_OP_SUB || op == VM_OP_SUB_F ? "-"
           : op == VM_OP_MUL || op == VM_OP_MUL_F ? "*"
                                                  : NULL;
}

/* Returns the last instruction before `before` that gave the register its value; NULL: a
 * parameter. */
static const struct vm_insn *definition(const struct search *search, uint32_t reg,
                                        uint32_t before)
{
    while (before-- > 0) {
        const struct vm_insn *i = &search->f->code[before];
        if (i->d == reg && !ends_block(vm_first_op(i->op)))
            return i;
    }
    return NULL;
}

static bool know(const struct search *search, uint32_t reg, uint32_t before, uint64_t *value,
                 int depth);

/* Reads again what a plain load has read, if its address is still known: the thread has done
 * nothing since but to compare. */
static bool read_again(const struct search *search, const struct vm_insn *i, uint64_t *value,
                       int depth)
{
    uint32_t at = (uint32_t)(i - search->f->code), size = 1u << (i->op - VM_OP_LOAD1);
    uint64_t p;
    if (!know(search, i->a, at, &p, depth + 1))
        return false;
    const struct vm_obj *o = vm_heap_get(&search->vm->heap, p);
    uint64_t from = (uint64_t)(uint32_t)p + i->b;
    if (!o || from + size > o->size || vm_obj_mask(o, (uint32_t)from, size) != vm_low(8 * size))
        return false;
    *value = vm_obj_get(o, (uint32_t)from, size);
    return true;
}

/* Finds the value of a register before an instruction. */
static bool know(const struct search *search, uint32_t reg, uint32_t before, uint64_t *value,
                 int depth)
{
    const struct vm_insn *i = definition(search, reg, before);
    unsigned op = i ? vm_first_op(i->op) : VM_OP_NOP;
    uint32_t at = i ? (uint32_t)(i - search->f->code) : 0;
    if (depth > MAX_DEPTH || reg >= search->f->nregs)
        return false;
    if (i ? is_intact(search, reg, at) : vm_mask(search->frame, reg) == ~0ull) {
        *value = vm_get(search->frame, reg);
        return true;
    }
    if (op == VM_OP_CONST) {
        *value = i->k;
        return true;
    }
    if (op >= VM_OP_LOAD1 && op <= VM_OP_LOAD8)
        return read_again(search, i, value, depth);
    if (op == VM_OP_PTRADD && know(search, i->a, at, value, depth + 1)) {
        *value += i->k;
        return true;
    }
    return false;
}

/* Writes a register's value before an instruction, as the sum or the like that it is if its
 * parts are known; false if it is not known. */
static bool write_value(const struct search *search, uint32_t reg, uint32_t at, unsigned w,
                        char *text, int depth)
{
    const struct vm_insn *i = definition(search, reg, at);
    const char *sign = i ? arithmetic(vm_first_op(i->op)) : NULL;
    uint32_t k = i ? (uint32_t)(i - search->f->code) : 0;
    uint64_t value;
    char a[TEXT], b[TEXT];
    if (sign && depth < MAX_DEPTH && write_value(search, i->a, k, i->w, a, depth + 1) &&
        write_value(search, i->b, k, i->w, b, depth + 1)) {
        snprintf(text, TEXT, "%.24s %s %.24s", a, sign, b);
        return true;
    }
    bool known = know(search, reg, at, &value, 0);
    if (!known || (w == POINTER && value >> 32 && vm_heap_get(&search->vm->heap, value)))
        return false;
    snprintf(text, TEXT, "%lld", (long long)signed_value(value, w));
    return true;
}

/* Returns the enumeration that a register's value was loaded from an object of, or NULL. */
static const struct vm_type *enumeration(const struct search *search, uint32_t reg, uint32_t at)
{
    const struct vm_insn *i = definition(search, reg, at);
    unsigned op = i ? vm_first_op(i->op) : VM_OP_NOP;
    uint64_t p;
    char name[TEXT];
    if (op < VM_OP_LOAD1 || op > VM_OP_LOAD8 ||
        !know(search, i->a, (uint32_t)(i - search->f->code), &p, 0))
        return NULL;
    const struct vm_type *t =
        vm_name(search->vm, p + i->b, 1u << (op - VM_OP_LOAD1), name, sizeof name);
    return t && t->kind == VM_TYPE_ENUM ? t : NULL;
}

/* Writes the enumerators that a branch has compared; false if it compared something else. */
static bool write_enumerators(const struct search *search, uint32_t at, bool with_k, char *a,
                              char *b)
{
    const struct vm_insn *i = &search->f->code[at];
    const struct vm_type *t = enumeration(search, i->a, at);
    uint64_t x, y = i->k;
    if (!t && !with_k)
        t = enumeration(search, i->b, at);
    if (!t || !know(search, i->a, at, &x, 0) || (!with_k && !know(search, i->b, at, &y, 0)))
        return false;
    vm_value_text(search->vm, t, x, (uint32_t)t->size, false, a, TEXT);
    vm_value_text(search->vm, t, y, (uint32_t)t->size, false, b, TEXT);
    return true;
}

/* The condition of a branch, and whether it holds now. */
struct question {
    const char *sign, *other; /* the relation, and its opposite */
    bool with_k, holds;
};

static bool compare(unsigned op, uint64_t a, uint64_t b, unsigned w)
{
    int64_t x = signed_value(a, w), y = signed_value(b, w);
    switch (op) {
    case VM_OP_BR_EQ:
    case VM_OP_BR_EQ_K: return a == b;
    case VM_OP_BR_NE:
    case VM_OP_BR_NE_K: return a != b;
    case VM_OP_BR_ULT:
    case VM_OP_BR_ULT_K: return a < b;
    case VM_OP_BR_ULE: return a <= b;
    case VM_OP_BR_UGT_K: return a > b;
    case VM_OP_BR_SLT:
    case VM_OP_BR_SLT_K: return x < y;
    case VM_OP_BR_SLE: return x <= y;
    default: return x > y;
    }
}

static bool ask(const struct search *search, const struct vm_insn *i, struct question *q)
{
    static const struct {
        unsigned op;
        const char *sign, *other;
    } signs[] = {
        {VM_OP_BR_EQ, "==", "!="},   {VM_OP_BR_NE, "!=", "=="},   {VM_OP_BR_ULT, "<", ">="},
        {VM_OP_BR_ULE, "<=", ">"},   {VM_OP_BR_SLT, "<", ">="},   {VM_OP_BR_SLE, "<=", ">"},
        {VM_OP_BR_EQ_K, "==", "!="}, {VM_OP_BR_NE_K, "!=", "=="}, {VM_OP_BR_ULT_K, "<", ">="},
        {VM_OP_BR_UGT_K, ">", "<="}, {VM_OP_BR_SLT_K, "<", ">="}, {VM_OP_BR_SGT_K, ">", "<="},
    };
    unsigned op = i->op;
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        if (signs[k].op != op)
            continue;
        bool with_k = op >= VM_OP_BR_EQ_K;
        if (i->a >= search->f->nregs || vm_mask(search->frame, i->a) != ~0ull ||
            (!with_k && (i->b >= search->f->nregs || vm_mask(search->frame, i->b) != ~0ull)))
            return false;
        uint64_t a = vm_get(search->frame, i->a),
                 b = with_k ? i->k : vm_get(search->frame, i->b);
        *q = (struct question){.sign = signs[k].sign,
                               .other = signs[k].other,
                               .with_k = with_k,
                               .holds = compare(op, a, b, i->w)};
        return true;
    }
    return false;
}

/* What is known of a branch: it has nothing to do with the call, or would not have led to it;
 * whether it has is not known, as its registers have other values by now; or it has. */
enum cause { NOT_IT, PERHAPS, IT };

/* Looks at the branch of an instruction.  If it has led to the call, writes what it asked, and
 * which answer was needed; or nothing, if that is a value of its own. */
static enum cause write_question(const struct search *search, uint32_t at, char *text,
                                 size_t size)
{
    const struct vm_insn *i = &search->f->code[at];
    struct question q = {.with_k = i->op >= VM_OP_BR_EQ_K};
    char a[TEXT], b[TEXT];
    *text = 0;
    if (i->op < VM_OP_BR || i->op > VM_OP_BR_SGT_K)
        return NOT_IT;
    bool yes = leads_on(search, q.with_k ? i->d : (uint32_t)(i->k >> 32));
    bool fused = i->op != VM_OP_BR && !q.with_k;
    if (yes == leads_on(search, q.with_k ? i->b : (uint32_t)i->k))
        return NOT_IT;
    if (!is_intact(search, i->a, at) || (fused && !is_intact(search, i->b, at)))
        return PERHAPS;
    if (i->op == VM_OP_BR)
        return (vm_get(search->frame, i->a) & 1) == yes ? IT : NOT_IT;
    if (!ask(search, i, &q))
        return PERHAPS;
    if (q.holds != yes)
        return NOT_IT;
    if (q.with_k)
        snprintf(b, sizeof b, "%lld", (long long)signed_value(i->k, i->w));
    if (write_enumerators(search, at, q.with_k, a, b) ||
        (write_value(search, i->a, at, i->w, a, 0) &&
         (q.with_k || write_value(search, i->b, at, i->w, b, 0))))
        snprintf(text, size, "%s %s %s", a, q.holds ? q.other : q.sign, b);
    return IT;
}

bool vm_condition(const struct vm *vm, uint64_t frame, char *text, size_t size)
{
    const struct vm_insn *i;
    const struct vm_function *f = vm_frame_function(vm, frame, &i);
    while (f && f->library) {
        const struct vm_obj *o = vm_heap_get(&vm->heap, frame);
        frame = o ? o->data[0] : 0;
        f = frame ? vm_frame_function(vm, frame, &i) : NULL;
    }
    if (!f)
        return false;
    struct search search = {vm, f, vm_heap_get(&vm->heap, frame), (uint32_t)(i - f->code)};
    /* Of several questions, the first that led here was asked last. */
    enum cause cause = NOT_IT;
    for (uint32_t k = 0; k < f->ncode && cause == NOT_IT; k++)
        cause = write_question(&search, k, text, size);
    return cause == IT && *text;
}
