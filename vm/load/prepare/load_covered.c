/* load_covered.c - which functions and lines the program's own code has, for coverage.
 *
 * What nothing calls is dropped before it is lowered, and would be missing.  So each function
 * and each line gets a mark here that nobody sets; those of load_cover.c for the same place are
 * set, and count together with it. */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/table.h"

uint32_t load_covered_place(struct loader *l, uint32_t loc)
{
    const struct vm_loc *locs = l->locs.data;
    while (loc && (locs[loc].library || !locs[loc].line))
        loc = locs[loc].inlined_at;
    return loc;
}

/* Is the instruction clang's mark of a local variable's beginning, which stands for its
 * declaration? */
static bool is_lifetime(LLVMValueRef i)
{
    static const char name[] = "llvm.lifetime.";
    LLVMValueRef f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return f && !strncmp(LLVMGetValueName(f), name, sizeof name - 1);
}

bool load_is_covered(LLVMValueRef i)
{
    return !is_lifetime(i) && !LLVMIsAAllocaInst(i) && !LLVMIsADbgInfoIntrinsic(i) &&
           !LLVMIsAUnreachableInst(i);
}

static void look_at(struct loader *l, LLVMMetadataRef function, LLVMValueRef i)
{
    uint32_t loc = load_is_covered(i) ? load_covered_place(l, load_location(l, i)) : 0;
    if (loc)
        list_push(&l->covered, &(struct load_covered){function, loc, false});
}

void load_covered(struct loader *l)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f && l->load->coverage;
         f = LLVMGetNextFunction(f)) {
        LLVMMetadataRef function = LLVMIsDeclaration(f) ? NULL : LLVMGetSubprogram(f);
        if (!function)
            continue;
        if (!load_is_header(l, f))
            list_push(&l->covered,
                      &(struct load_covered){function, load_function_location(l, f), true});
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                look_at(l, function, i);
    }
}

void load_covered_dropped(struct loader *l)
{
    const struct load_covered *at = l->covered.data;
    const struct vm_loc *locs = l->locs.data;
    struct map there = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetSubprogram(f))
            map_put(&there, LLVMGetSubprogram(f), 1);
    for (size_t k = 0; k < l->covered.n; k++)
        if (!map_get(&there, at[k].function))
            list_push(&l->sites, &(struct vm_site){.name = at[k].begins ? "function" : "line",
                                                   .function = locs[at[k].loc].function,
                                                   .loc = at[k].loc,
                                                   .edges = 1});
    map_fini(&there);
}
