/* lowering.h - a function while it is lowered: between LLVM's function and the machine's.
 *
 * Made and freed by load_function (lower/load_func.c), which owns its lists and maps. */
#ifndef VM_LOAD_LOWERING_H
#define VM_LOAD_LOWERING_H

#include <llvm-c/Core.h>

#include "vm/load/load.h"

/* A set of virtual registers that get slots together. */
struct group {
    uint32_t first, size; /* virtual registers */
    uint32_t slot;        /* the real register of the first, once chosen */
    bool fixed;           /* slot is given: a parameter */
};

/* The function being lowered. */
struct lowering {
    struct loader *l;
    struct vm_function *out;
    LLVMValueRef function;
    struct list code;     /* struct vm_insn, virtual registers */
    struct list locs;     /* uint32_t per instruction */
    struct list groups;   /* struct group */
    struct list group_of; /* uint32_t per virtual register */
    struct map values;    /* LLVM value -> first virtual register + 1 */
    struct map blocks;    /* LLVM block -> number + 1 */
    struct map names;     /* of allocas: see load_variable_names */
    struct map scoped;    /* allocas that end at their marks: see load_scoped.c */
    struct list starts;   /* uint32_t: first instruction of each block */
    struct list stubs;    /* struct stub: edges with phis or backwards */
    struct list fixups;   /* struct fixup */
    uint32_t loc;         /* of the instruction being lowered */
    uint32_t covered;     /* of the last mark for coverage in this block, or 0 */
    uint32_t block;       /* number of the block being lowered */
    LLVMBasicBlockRef present;
    uint32_t va;  /* register of the variadic area */
    bool notes;   /* notes are emitted (lower/load_note.c) */
    bool user;    /* the user's code: checked as its author wrote it */
    bool queried; /* its local variables are asked for (load_watch.c) */
    bool optnone; /* and the optimiser has left this function alone */
};

struct fixup { /* an instruction's target that is a block or a stub */
    uint32_t insn;
    enum { FIX_K, FIX_HIGH, FIX_LOW, FIX_D, FIX_CASE, FIX_HERE, FIX_UNWIND } field;
    uint32_t target; /* block number, or stub number | TO_STUB; FIX_HERE: the instruction for d;
                        FIX_UNWIND: insn is a place in calls */
};
enum { TO_STUB = 0x80000000u };

struct stub {
    uint32_t from, to; /* blocks */
    LLVMBasicBlockRef from_block, to_block;
    uint32_t start; /* instruction */
};

#endif
