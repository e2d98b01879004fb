/* load_cover.c - marks for coverage (a program loaded with it): COVER where a function of the
 * program begins, and where another line of its source begins within a block; COVER_BR and
 * COVER_SWITCH before branches.  A mark is a site with a number of its own.
 *
 * Branches that lead to a failure only, as those of assert, are not marked: they are there to
 * be decided one way. */
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lowering.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/table.h"

/* Returns the place of an instruction in the program's own source, or 0.  Of the libraries'
 * functions, only those of the C++ library's headers can have code of the program in them. */
static uint32_t place_of(const struct lowering *w, uint32_t loc)
{
    const struct vm_loc *locs = w->l->locs.data;
    uint32_t found = load_covered_place(w->l, loc);
    while (locs[loc].inlined_at)
        loc = locs[loc].inlined_at;
    return w->user || locs[loc].library ? found : 0;
}

/* Adds n marks and returns the number of the first. */
static uint32_t add(struct lowering *w, uint32_t loc, const char *name, uint32_t n)
{
    const struct vm_loc *locs = w->l->locs.data;
    uint32_t first = (uint32_t)w->l->sites.n;
    for (uint32_t k = 0; k < n; k++)
        list_push(&w->l->sites, &(struct vm_site){.name = name,
                                                  .function = locs[loc].function,
                                                  .loc = loc,
                                                  .edges = k ? 0 : n});
    return first;
}

void lower_cover_function(struct lowering *w)
{
    uint32_t loc =
        w->l->load->coverage && w->user ? load_function_location(w->l, w->function) : 0;
    if (loc && place_of(w, loc))
        lower_emit(w, (struct vm_insn){.op = VM_OP_COVER, .k = add(w, loc, "function", 1)});
    w->covered = 0;
}

void lower_cover(struct lowering *w, LLVMValueRef i)
{
    const struct vm_loc *locs = w->l->locs.data;
    if (!w->l->load->coverage || !load_is_covered(i))
        return;
    uint32_t loc = place_of(w, w->loc), last = w->covered;
    bool same = last && loc && locs[last].line == locs[loc].line &&
                !strcmp(locs[last].file, locs[loc].file);
    if (!loc || same)
        return;
    w->covered = loc;
    lower_emit(w, (struct vm_insn){.op = VM_OP_COVER, .k = add(w, loc, "line", 1)});
}

static bool leads_on(LLVMBasicBlockRef block)
{
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    return !last || !LLVMIsAUnreachableInst(last);
}

/* Returns the place of a branch of the program's that may go to several blocks, or 0. */
static uint32_t place_of_branch(const struct lowering *w, LLVMValueRef i)
{
    uint32_t loc = w->l->load->coverage ? place_of(w, w->loc) : 0;
    for (unsigned k = 0; loc && k < LLVMGetNumSuccessors(i); k++)
        loc = leads_on(LLVMGetSuccessor(i, k)) ? loc : 0;
    return loc;
}

void lower_cover_branch(struct lowering *w, LLVMValueRef i, uint32_t condition)
{
    uint32_t loc = place_of_branch(w, i);
    if (loc)
        lower_emit(w, (struct vm_insn){
                          .op = VM_OP_COVER_BR, .a = condition, .k = add(w, loc, "branch", 2)});
}

void lower_cover_switch(struct lowering *w, LLVMValueRef i, uint32_t value, uint32_t first,
                        uint32_t n)
{
    uint32_t loc = place_of_branch(w, i);
    if (loc)
        lower_emit(w, (struct vm_insn){.op = VM_OP_COVER_SWITCH,
                                       .a = value,
                                       .b = n,
                                       .d = first,
                                       .k = add(w, loc, "branch", n + 1)});
}
