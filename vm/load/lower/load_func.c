/* load_func.c - a function: blocks, phis, branches.
 *
 * Instructions are emitted block by block with virtual registers; an edge that
 * carries phi values or goes backwards leads through a stub after the blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/code/load_improve.h"
#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_flow.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lowering.h"
#include "vm/load/table.h"

struct vm_insn *lower_emit(struct lowering *w, struct vm_insn insn)
{
    list_push(&w->locs, &w->loc);
    return list_push(&w->code, &insn);
}

static struct group *new_group(struct lowering *w, uint32_t n)
{
    uint32_t g = (uint32_t)w->groups.n;
    struct group group = {.first = (uint32_t)w->group_of.n, .size = n ? n : 1};
    for (uint32_t k = 0; k < group.size; k++)
        list_push(&w->group_of, &g);
    return list_push(&w->groups, &group);
}

uint32_t lower_new(struct lowering *w, uint32_t n)
{
    return new_group(w, n)->first;
}

uint32_t lower_result(struct lowering *w, LLVMValueRef v)
{
    uint32_t r = map_get(&w->values, v);
    if (!r) {
        r = lower_new(w, load_type_regs(w->l, LLVMTypeOf(v))) + 1;
        map_put(&w->values, v, r);
    }
    return r - 1;
}

static void emit_const(struct lowering *w, uint32_t d, struct vm_const c)
{
    if ((c.shadow & 0xff) != 0xff)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = 1});
    else
        lower_emit(w,
                   (struct vm_insn){
                       .op = VM_OP_CONST, .d = d, .k = c.value, .flags = c.shadow == 0xffff});
}

/* Emits a fault with this text: BAD_CALL or UNSUPPORTED. */
static void emit_fault(struct lowering *w, const char *text, bool bad_call)
{
    const char *s = load_string(w->l, text, strlen(text));
    list_push(&w->l->texts, &s);
    lower_emit(w, (struct vm_insn){
                      .op = VM_OP_UNSUPPORTED, .flags = bad_call, .k = w->l->texts.n - 1});
}

/* Returns the global variable that a constant needs and that is not defined, or NULL. */
static LLVMValueRef undefined_in(LLVMValueRef v, int depth)
{
    LLVMValueRef found = NULL;
    if (LLVMIsAGlobalVariable(v))
        return LLVMIsDeclaration(v) ? v : NULL;
    if (!LLVMIsAConstant(v) || LLVMIsAGlobalValue(v) || depth == 0)
        return NULL;
    for (int k = 0; k < LLVMGetNumOperands(v) && !found; k++)
        found = undefined_in(LLVMGetOperand(v, (unsigned)k), depth - 1);
    return found;
}

static void refuse_constant(struct lowering *w, LLVMValueRef v)
{
    char text[256];
    LLVMValueRef undefined = undefined_in(v, 16);
    if (undefined) {
        snprintf(text, sizeof text, "use of %s, which is not defined anywhere",
                 load_global_name(w->l, undefined));
        emit_fault(w, text, false);
        return;
    }
    if (LLVMIsAGlobalIFunc(v)) {
        snprintf(text, sizeof text, "the ifunc %s", LLVMGetValueName(v));
        lower_unsupported(w, text, false);
    } else {
        lower_unsupported(w, "this constant expression", false);
    }
}

/* Returns the variable that the address v points into, at `offset`; or the value that the
 * address is computed from. */
static LLVMValueRef strip_offsets(struct loader *l, LLVMValueRef v, int64_t *offset)
{
    while (LLVMIsAConstantExpr(v)) {
        LLVMOpcode op = LLVMGetConstOpcode(v);
        int64_t more = 0;
        bool cast = op == LLVMBitCast || op == LLVMAddrSpaceCast || op == LLVMIntToPtr ||
                    (op == LLVMPtrToInt && LLVMABISizeOfType(l->layout, LLVMTypeOf(v)) == 8);
        if (!cast && !(op == LLVMGetElementPtr && load_const_offset(l, v, &more)))
            break;
        *offset += more;
        v = LLVMGetOperand(v, 0);
    }
    return v;
}

static bool materialise_thread_local(struct lowering *w, uint32_t d, LLVMValueRef v)
{
    int64_t offset = 0;
    uint32_t at = map_get(&w->l->tls, strip_offsets(w->l, v, &offset));
    if (!at--)
        return false;
    uint32_t p = lower_new(w, 1);
    lower_emit(w, (struct vm_insn){.op = VM_OP_TLS, .d = p, .k = at});
    if (at < 8 * w->l->program->nthread_locals) {
        uint32_t own = lower_new(w, 1);
        lower_emit(w, (struct vm_insn){.op = VM_OP_LOAD8, .w = 64, .d = own, .a = p, .k = 8});
        p = own;
    }
    lower_emit(
        w, (struct vm_insn){
               .op = offset ? VM_OP_PTRADD : VM_OP_MOV, .d = d, .a = p, .k = (uint64_t)offset});
    return true;
}

static void materialise(struct lowering *w, uint32_t d, LLVMValueRef v)
{
    uint32_t n = load_type_regs(w->l, LLVMTypeOf(v));
    if (materialise_thread_local(w, d, v))
        return;
    if (n > 1)
        lower_emit(w, (struct vm_insn){.op = VM_OP_UNDEF, .d = d, .b = n});
    for (uint32_t k = 0; k < n; k++) {
        struct vm_const c;
        if (load_const_reg(w->l, v, k, &c))
            emit_const(w, d + k, c);
        else
            refuse_constant(w, v);
    }
}

uint32_t lower_use(struct lowering *w, LLVMValueRef v)
{
    if (LLVMIsAInstruction(v) || LLVMIsAArgument(v))
        return lower_result(w, v);
    uint32_t d = lower_new(w, load_type_regs(w->l, LLVMTypeOf(v)));
    materialise(w, d, v);
    return d;
}

void lower_unsupported(struct lowering *w, const char *what, bool bad_call)
{
    char text[512];
    if (bad_call)
        snprintf(text, sizeof text, "%s", what);
    else
        snprintf(text, sizeof text, "%s is not supported", what);
    emit_fault(w, text, bad_call);
}

/* ---- edges ----------------------------------------------------------------------- */

static uint32_t block_number(const struct lowering *w, LLVMBasicBlockRef b)
{
    return map_get(&w->blocks, b) - 1;
}

static bool has_phis(LLVMBasicBlockRef b)
{
    LLVMValueRef i = LLVMGetFirstInstruction(b);
    return i && LLVMIsAPHINode(i);
}

/* Returns the target of an edge from the present block: the block, or a stub. */
uint32_t lower_target(struct lowering *w, LLVMBasicBlockRef to)
{
    uint32_t number = block_number(w, to);
    if (!has_phis(to) && number > w->block)
        return number;
    struct stub stub = {.from = w->block, .to = number, .to_block = to};
    stub.from_block = w->present;
    list_push(&w->stubs, &stub);
    return (uint32_t)(w->stubs.n - 1) | TO_STUB;
}

void lower_fix(struct lowering *w, uint32_t insn, int field, uint32_t target)
{
    struct fixup fix = {.insn = insn, .target = target};
    fix.field = field;
    list_push(&w->fixups, &fix);
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == from)
            return LLVMGetIncomingValue(phi, k);
    return NULL;
}

static void move(struct lowering *w, uint32_t d, uint32_t a, uint32_t n)
{
    if (n == 1)
        lower_emit(w, (struct vm_insn){.op = VM_OP_MOV, .d = d, .a = a});
    else if (n)
        lower_emit(w, (struct vm_insn){.op = VM_OP_MOVN, .d = d, .a = a, .b = n});
}

/* Moves the values of phis all at once: through temporaries if one is another's source. */
static void move_phis(struct lowering *w, const struct stub *stub)
{
    struct move {
        uint32_t d, a, n;
        LLVMValueRef value;
    };
    struct list moves = {.item = sizeof(struct move)};
    bool conflict = false;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(stub->to_block); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef v = incoming(phi, stub->from_block);
        lower_count(w, phi);
        if (v && v != phi)
            list_push(&moves, &(struct move){lower_result(w, phi), 0,
                                             load_type_regs(w->l, LLVMTypeOf(phi)), v});
    }
    struct move *m = moves.data;
    for (size_t k = 0; k < moves.n; k++)
        if (LLVMIsAPHINode(m[k].value) &&
            LLVMGetInstructionParent(m[k].value) == stub->to_block)
            conflict = true;
    for (size_t k = 0; k < moves.n && conflict; k++) {
        bool local = LLVMIsAInstruction(m[k].value) || LLVMIsAArgument(m[k].value);
        m[k].a = lower_new(w, m[k].n);
        if (local)
            move(w, m[k].a, lower_result(w, m[k].value), m[k].n);
        else
            materialise(w, m[k].a, m[k].value);
    }
    for (size_t k = 0; k < moves.n; k++) {
        bool local = LLVMIsAInstruction(m[k].value) || LLVMIsAArgument(m[k].value);
        if (conflict)
            move(w, m[k].d, m[k].a, m[k].n);
        else if (local)
            move(w, m[k].d, lower_result(w, m[k].value), m[k].n);
        else
            materialise(w, m[k].d, m[k].value);
    }
    free(moves.data);
}

/* Ends a block that has one successor: no stub is needed. */
void lower_jump(struct lowering *w, LLVMBasicBlockRef to)
{
    struct stub stub = {
        .from = w->block, .to = block_number(w, to), .from_block = w->present, .to_block = to};
    move_phis(w, &stub);
    lower_emit(w, (struct vm_insn){.op = stub.to <= stub.from ? VM_OP_LOOP : VM_OP_JMP});
    lower_fix(w, (uint32_t)w->code.n - 1, FIX_K, stub.to);
}

static void emit_stubs(struct lowering *w)
{
    for (size_t k = 0; k < w->stubs.n; k++) {
        struct stub stub = ((struct stub *)w->stubs.data)[k];
        ((struct stub *)w->stubs.data)[k].start = (uint32_t)w->code.n;
        w->loc = load_location(w->l, LLVMGetBasicBlockTerminator(stub.from_block));
        lower_count(w, NULL);
        move_phis(w, &stub);
        lower_emit(w, (struct vm_insn){.op = stub.to <= stub.from ? VM_OP_LOOP : VM_OP_JMP});
        lower_fix(w, (uint32_t)w->code.n - 1, FIX_K, stub.to);
    }
}

static void resolve(struct lowering *w)
{
    for (size_t k = 0; k < w->fixups.n; k++) {
        const struct fixup *fix = &((struct fixup *)w->fixups.data)[k];
        if (fix->field == FIX_HERE) {
            ((struct vm_insn *)w->code.data)[fix->insn].d = fix->target;
            continue;
        }
        uint64_t at = fix->target & TO_STUB
                          ? ((struct stub *)w->stubs.data)[fix->target & ~TO_STUB].start
                          : ((uint32_t *)w->starts.data)[fix->target];
        struct vm_insn *i = &((struct vm_insn *)w->code.data)[fix->insn];
        switch (fix->field) {
        case FIX_K: i->k = at; break;
        case FIX_HIGH: i->k = (i->k & 0xffffffffu) | at << 32; break;
        case FIX_LOW: i->k = (i->k & ~0xffffffffull) | at; break;
        case FIX_D:
        case FIX_HERE: i->d = (uint32_t)at; break;
        case FIX_UNWIND:
            ((struct vm_call *)w->l->calls.data)[fix->insn].unwind = (uint32_t)at;
            break;
        case FIX_CASE:
            ((struct vm_case *)w->l->cases.data)[fix->insn].target = (uint32_t)at;
            break;
        }
    }
}

/* ---- functions ------------------------------------------------------------------- */

static void place_parameters(struct lowering *w)
{
    uint32_t slot = VM_FRAME_HEADER;
    for (unsigned k = 0; k < LLVMCountParams(w->function); k++) {
        LLVMValueRef p = LLVMGetParam(w->function, k);
        uint32_t n = load_type_regs(w->l, LLVMTypeOf(p));
        struct group *g = new_group(w, n);
        g->fixed = true;
        g->slot = slot;
        slot += n;
        map_put(&w->values, p, g->first + 1);
    }
    w->out->nparams = slot - VM_FRAME_HEADER;
    w->out->variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(w->function));
    if (w->out->variadic) {
        struct group *g = new_group(w, 1);
        g->fixed = true;
        g->slot = w->out->va_reg = slot;
        w->va = g->first;
    }
}

static bool calls_setjmp(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
            if (f && LLVMIsAFunction(f) && strstr(LLVMGetValueName(f), "setjmp"))
                return true;
        }
    return false;
}

static void lower_blocks(struct lowering *w)
{
    uint32_t n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->function); b;
         b = LLVMGetNextBasicBlock(b))
        map_put(&w->blocks, b, ++n);
    lower_emit(w, (struct vm_insn){.op = VM_OP_NOP}); /* a frame at 0 has not begun */
    lower_cover_function(w);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->function); b;
         b = LLVMGetNextBasicBlock(b)) {
        uint32_t start = (uint32_t)w->code.n;
        list_push(&w->starts, &start);
        w->present = b;
        w->covered = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAPHINode(i))
                continue;
            w->loc = load_location(w->l, i);
            if (!w->loc && w->user && !LLVMIsAAllocaInst(i))
                w->loc = load_function_location(w->l, w->function);
            lower_count(w, i);
            lower_cover(w, i);
            lower_instruction(w, i);
        }
        w->block++;
    }
    emit_stubs(w);
    resolve(w);
}

static void fini(struct lowering *w)
{
    free(w->code.data);
    free(w->locs.data);
    free(w->groups.data);
    free(w->group_of.data);
    free(w->starts.data);
    free(w->stubs.data);
    free(w->fixups.data);
    map_fini(&w->values);
    map_fini(&w->blocks);
    map_fini(&w->names);
    map_fini(&w->scoped);
}

bool load_function(struct loader *l, uint32_t index, bool notes)
{
    struct list *functions = notes ? &l->noted_functions : &l->functions_out;
    struct vm_function *f = &((struct vm_function *)functions->data)[index];
    struct lowering w = {
        .l = l,
        .out = f,
        .function = l->llvm_functions[index],
        .user = !f->library,
        .notes = notes,
        .code.item = sizeof(struct vm_insn),
        .locs.item = sizeof(uint32_t),
        .groups.item = sizeof(struct group),
        .group_of.item = sizeof(uint32_t),
        .starts.item = sizeof(uint32_t),
        .stubs.item = sizeof(struct stub),
        .fixups.item = sizeof(struct fixup),
    };
    place_parameters(&w);
    w.optnone = LLVMGetStringAttributeAtIndex(w.function,
                                              (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                              LOAD_AS_WRITTEN, sizeof LOAD_AS_WRITTEN - 1);
    w.queried = LLVMGetStringAttributeAtIndex(w.function,
                                              (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                              LOAD_QUERIED, sizeof LOAD_QUERIED - 1);
    l->program->as_written |= f->defined && lower_as_written(&w);
    if (f->defined) {
        f->keeps_all = calls_setjmp(w.function);
        if (w.user || load_makes_fixture(w.function))
            load_variable_names(l, w.function, &w.names);
        if (!f->keeps_all) /* longjmp may lead back into a block */
            lower_scopes(&w);
        lower_blocks(&w);
    } else {
        lower_emit(&w, (struct vm_insn){.op = VM_OP_NOP});
        lower_count(&w, NULL);
        lower_emit(&w, (struct vm_insn){.op = VM_OP_UNRESOLVED});
    }
    if (!f->keeps_all) {
        load_peephole(&w);
        if (!w.queried)
            load_merge_moves(&w);
        load_peephole(&w);
    }
    load_registers(&w);
    if (!f->keeps_all)
        load_pairs(&w);
    f->ncode = (uint32_t)w.code.n;
    f->code = load_alloc(l, w.code.n * sizeof *f->code);
    memcpy(f->code, w.code.data, w.code.n * sizeof *f->code);
    f->locs = load_alloc(l, w.locs.n * sizeof *f->locs);
    memcpy(f->locs, w.locs.data, w.locs.n * sizeof *f->locs);
    fini(&w);
    return !*l->error;
}
