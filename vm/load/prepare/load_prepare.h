/* load_prepare.h - passes that change a module before it is translated; load_link calls them in
 * their order.  The module stays the caller's.
 *
 * The module stays the caller's. */
#ifndef VM_LOAD_PREPARE_H
#define VM_LOAD_PREPARE_H

#include <llvm-c/Core.h>

#include "vm/load/load.h"

/* load_init.c: adds what a program's module has in sections of constructors and destructors to
 * the lists that clang makes of functions with the attribute.  Priorities are numbers up to
 * 65535, and these: */
enum { LOAD_LAST = 65535 /* none was given */, LOAD_NEARLY_LAST, LOAD_FIRST };
bool load_sections(struct loader *l, LLVMModuleRef module);

/* load_covered.c: lists functions and lines of the user's module for coverage; when all is
 * lowered, makes marks for those that were dropped.  load_covered_place: a location's place in
 * the program's own source, or 0; load_is_covered: does the instruction stand for its line? */
struct load_covered {
    LLVMMetadataRef function;
    uint32_t loc;
    bool begins; /* it is the function's own place */
};
void load_covered(struct loader *l);
void load_covered_dropped(struct loader *l);
uint32_t load_covered_place(struct loader *l, uint32_t loc);
bool load_is_covered(LLVMValueRef instruction);

/* load_sixteen.c: replaces calls for atomic accesses of 16 bytes by instructions; before
 * load_weak_orders. */
void load_sixteen(struct loader *l); /* in the user's module */

/* load_exchange.c: marks compare-exchanges of types that may have padding, and replaces calls
 * that are such.  load_padding_of: is the instruction marked? */
void load_exchanges(struct loader *l); /* in the user's module */
bool load_padding_of(struct loader *l, LLVMValueRef instruction, struct vm_padding *padding);

/* load_weak.c: finds the weak orders and the attempts to lock of the user's module; before
 * load_exchanges. */
void load_weak_orders(struct loader *l);

/* load_pad.c: mends atomic objects of odd sizes. */
LLVMValueRef load_copied_from(LLVMValueRef alloca); /* a call of memcpy, or NULL */
bool load_is_padded(LLVMTypeRef t);
void load_padding(struct loader *l, LLVMModuleRef module);

/* load_exit.c: keeps in use what exists until exit is called. */
void load_exits(struct loader *l, LLVMModuleRef module);

/* load_atomic.c: makes functions atomic sections; load_is_atomic: by its name. */
void load_atomic_functions(struct loader *l);
bool load_is_atomic(const char *name);

/* load_adapt.c: converts the arguments of calls, by other integer types, of functions of
 * <divm.h>. */
void load_adapt(struct loader *l);

/* load_asm.c: replaces inline assembly that is known, and intrinsics that read the counter of
 * cycles. */
void load_asm(struct loader *l, LLVMModuleRef module);

/* load_check.c: drops checks of what the machine finds out itself. */
void load_checks(struct loader *l, LLVMModuleRef module);

/* load_scope.c: drops marks of blocks that nobody needs. */
void load_scopes(struct loader *l, LLVMModuleRef module);

/* load_keep.c: keeps local variables in memory that may be read before they are set; after
 * mem2reg, also those with a wrong access, or one that comes after their end. */
void load_keep_unset(struct loader *l, LLVMModuleRef module);
void load_keep_wrong(struct loader *l, LLVMModuleRef module);

/* load_watch_values.c: makes LLVM's registers that queries name variables of that name; before
 * load_watch changes the function. */
void load_watch_values(struct loader *l, const struct vm_watch *watch, LLVMValueRef f);

/* load_monitor.c: finds what a monitor reads, and refuses one that writes anything but
 * variables of its own; before load_watch. */
bool load_monitor(struct loader *l);

/* load_watch.c: sets stops for queries in the user's module; before mem2reg. */
void load_watch(struct loader *l, LLVMModuleRef module);

#endif
