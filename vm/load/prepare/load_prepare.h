/* load_prepare.h - what is changed in a module before it is translated, pass by pass;
 * load_link calls them in their order.
 *
 * The module stays the caller's. */
#ifndef VM_LOAD_PREPARE_H
#define VM_LOAD_PREPARE_H

#include <llvm-c/Core.h>

#include "vm/load/load.h"

/* load_init.c: what a program's module has in sections of constructors and destructors comes
 * into the lists that clang makes of those with the attribute.  Priorities are numbers to
 * 65535, and these: */
enum { LOAD_LAST = 65535 /* none was given */, LOAD_NEARLY_LAST, LOAD_FIRST };
bool load_sections(struct loader *l, LLVMModuleRef module);

/* load_covered.c: functions and lines of the user's module, if there is to be coverage; and,
 * when all is lowered, marks for those that were dropped.  The program's own place of one, or
 * 0; whether an instruction stands for its line. */
struct load_covered {
    LLVMMetadataRef function;
    uint32_t loc;
    bool begins; /* it is the function's own place */
};
void load_covered(struct loader *l);
void load_covered_dropped(struct loader *l);
uint32_t load_covered_place(struct loader *l, uint32_t loc);
bool load_is_covered(LLVMValueRef instruction);

/* load_exchange.c: compare-exchanges of what has padding */
void load_exchanges(struct loader *l); /* in the user's module */

/* load_weak.c: the program's weak, by the user's module, before load_exchanges */
void load_weak_orders(struct loader *l);

/* load_pad.c: atomic objects of odd sizes */
LLVMValueRef load_copied_from(LLVMValueRef alloca); /* a call of memcpy, or NULL */
bool load_is_padded(LLVMTypeRef t);
void load_padding(struct loader *l, LLVMModuleRef module);

/* load_exit.c: what is used until exit is called */
void load_exits(struct loader *l, LLVMModuleRef module);

/* load_atomic.c: functions that are atomic sections, and which are by name */
void load_atomic_functions(struct loader *l);
bool load_is_atomic(const char *name);

/* load_adapt.c: calls, by other integer types, of what <divm.h> declares */
void load_adapt(struct loader *l);

/* load_asm.c: inline assembly that is known becomes what it does; so do the intrinsics that
 * read the counter of cycles */
void load_asm(struct loader *l, LLVMModuleRef module);

/* load_check.c: drops the checks of what the machine finds out itself */
void load_checks(struct loader *l, LLVMModuleRef module);

/* load_scope.c: marks of blocks that nobody needs are dropped */
void load_scopes(struct loader *l, LLVMModuleRef module);

/* load_keep.c: local variables that may be read before they are set stay in memory; after
 * mem2reg, those with a wrong access, or one that comes after their end, too */
void load_keep_unset(struct loader *l, LLVMModuleRef module);
void load_keep_wrong(struct loader *l, LLVMModuleRef module);

/* load_watch_values.c: LLVM's registers that queries name become variables of that name; before
 * load_watch does anything to the function */
void load_watch_values(struct loader *l, const struct vm_watch *watch, LLVMValueRef f);

/* load_watch.c: stops for queries, in the user's module; before mem2reg */
void load_watch(struct loader *l, LLVMModuleRef module);

#endif
