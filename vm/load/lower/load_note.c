/* load_note.c - notes: which local variable of the user's has a new value, where mem2reg and
 * sroa have put it into registers.
 *
 * A call of llvm.dbg.value says so.  It becomes a NOTE in a second translation of the user's
 * functions (struct vm_notes), since a NOTE keeps the value in its register up to there, and
 * takes time.  The page of an error is recorded by executing that one. */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lowering.h"
#include "vm/load/table.h"

void load_notes_begin(struct loader *l)
{
    l->scope_parents.item = l->loc_scopes.item = sizeof(uint32_t);
    l->noted.item = sizeof(struct vm_noted);
    l->noted_functions.item = sizeof(struct vm_function);
    list_push(&l->scope_parents, &(uint32_t){0});
    list_push(&l->loc_scopes, &(uint32_t){0});
}

static void *kept(struct loader *l, const struct list *list)
{
    return memcpy(load_alloc(l, list->n * list->item + 1), list->data, list->n * list->item);
}

void load_notes_finish(struct loader *l)
{
    struct vm_notes *notes = load_alloc(l, sizeof *notes);
    *notes = (struct vm_notes){
        .functions = kept(l, &l->noted_functions),
        .scope_of = kept(l, &l->loc_scopes),
        .scope_parent = kept(l, &l->scope_parents),
        .nvariables = (uint32_t)l->noted.n,
        .nlocs = (uint32_t)l->loc_scopes.n,
        .nscopes = (uint32_t)l->scope_parents.n,
    };
    if (l->noted.n)
        notes->variables = kept(l, &l->noted);
    l->program->notes = notes;
}

void load_notes_fini(struct loader *l)
{
    map_fini(&l->scopes);
    map_fini(&l->notes);
    map_fini(&l->fragments);
    free(l->scope_parents.data);
    free(l->loc_scopes.data);
    free(l->noted.data);
    free(l->noted_functions.data);
}

/* Returns the number of a variable in l->noted + 1; 0 if it has no name or no type. */
static uint32_t number_of(struct loader *l, LLVMMetadataRef variable)
{
    uint32_t number = map_get(&l->notes, variable);
    if (number)
        return number;
    struct vm_noted noted = {
        .variable = {load_md_string(l, load_operand(l, variable, 1)),
                     load_variable_type(l, variable)},
        .scope = load_scope_number(l, load_operand(l, variable, 0)),
    };
    if (!noted.variable.name || !noted.variable.type || !noted.scope)
        return 0;
    list_push(&l->noted, &noted);
    map_put(&l->notes, variable, (uint32_t)l->noted.n);
    return (uint32_t)l->noted.n;
}

/* Finds the first byte of the variable that a value belongs to.  The expression must be empty
 * or name a fragment, else false.  The C API has no getter for its elements. */
static bool place_in(struct loader *l, LLVMValueRef expression, uint32_t *first)
{
    enum { NOWHERE = 1, PLACES = 2 };
    LLVMMetadataRef md = LLVMValueAsMetadata(expression);
    uint32_t known = map_get(&l->fragments, md);
    if (!known) {
        unsigned bit = 0, bits = 0;
        char *text = LLVMPrintValueToString(expression), end = 0;
        bool good = !strcmp(text, "!DIExpression()") ||
                    (sscanf(text, "!DIExpression(DW_OP_LLVM_fragment, %u, %u%c", &bit, &bits,
                            &end) == 3 &&
                     end == ')' && bit % 8 == 0);
        LLVMDisposeMessage(text);
        known = good ? bit / 8 + PLACES : NOWHERE;
        map_put(&l->fragments, md, known);
    }
    *first = known - PLACES;
    return known != NOWHERE;
}

/* Returns the width of a scalar in one register that fits into the variable, or 0. */
static unsigned width_of(struct lowering *w, LLVMValueRef value, const struct vm_type *type,
                         uint32_t first)
{
    LLVMTypeRef t = LLVMTypeOf(value);
    unsigned width = LLVMGetTypeKind(t) == LLVMVectorTypeKind ? 0 : lower_width(w, t);
    bool one = width && width <= 64 && load_type_regs(w->l, t) == 1;
    return one && first + (width + 7) / 8 <= type->size ? width : 0;
}

/* Returns the value of a note, if it is one of this function.  Metadata of a value that is gone
 * has no operand. */
static LLVMValueRef value_of(LLVMValueRef call)
{
    LLVMValueRef operand = LLVMGetOperand(call, 0), value = NULL;
    if (LLVMGetMDNodeNumOperands(operand) == 1)
        LLVMGetMDNodeOperands(operand, &value);
    return value;
}

void lower_note(struct lowering *w, LLVMValueRef call)
{
    struct loader *l = w->l;
    uint32_t number = number_of(l, LLVMValueAsMetadata(LLVMGetOperand(call, 1)));
    struct vm_insn note = {.op = VM_OP_NOTE, .flags = VM_NOTE_UNKNOWN, .k = number - 1};
    struct vm_const constant;
    LLVMValueRef value = value_of(call);
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(call);
    if (!number || (at && LLVMDILocationGetInlinedAt(at)))
        return;
    const struct vm_type *type = ((struct vm_noted *)l->noted.data)[number - 1].variable.type;
    bool placed = value && place_in(l, LLVMGetOperand(call, 2), &note.d);
    unsigned width = placed ? width_of(w, value, type, note.d) : 0;
    note.w = (uint8_t)width;
    if (width && (LLVMIsAInstruction(value) || LLVMIsAArgument(value))) {
        note.flags = 0;
        note.a = lower_use(w, value);
    } else if (width && load_const_reg(l, value, 0, &constant)) {
        note.flags = VM_NOTE_CONST;
        note.a = (uint32_t)l->values.n;
        list_push(&l->values, &constant);
    }
    lower_emit(w, note);
}
