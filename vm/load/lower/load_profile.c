/* load_profile.c - what a profile counts: every instruction of LLVM in the user's code,
 * by a SITE before what it is translated to.  SITE takes part in no fusing and
 * prevents none. */
#include <stdio.h>
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/lowering.h"
#include "vm/load/table.h"

static const char *name_of(struct lowering *w, LLVMValueRef i)
{
    LLVMValueRef f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (f && LLVMIsAFunction(f) && !strncmp(LLVMGetValueName(f), "llvm.", 5)) {
        char text[256];
        const char *name = load_intrinsic_name(LLVMGetValueName(f) + 5);
        int n = snprintf(text, sizeof text, "llvm.%s", name ? name : "(unknown)");
        return load_string(w->l, text, (size_t)n);
    }
    return load_opcode_name(LLVMGetInstructionOpcode(i));
}

void lower_count(struct lowering *w, LLVMValueRef i)
{
    struct list *sites = &w->l->sites;
    if (!w->l->load->profile)
        return;
    if (!sites->n)
        list_push(sites, &(struct vm_site){0});
    uint32_t site = 0;
    if (i && w->user) {
        struct vm_site s = {.name = name_of(w, i), .function = w->out->name, .loc = w->loc};
        site = (uint32_t)sites->n;
        list_push(sites, &s);
    }
    lower_emit(w, (struct vm_insn){.op = VM_OP_SITE, .k = site});
}
