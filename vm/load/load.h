/* load.h - the loader: LLVM bitcode to the machine's program.
 *
 * load.c goes through the stages, each of which has a folder with its headers:
 *
 * link/     joins the user's modules with what they need of archives, and simplifies the result
 * prepare/  changes that module before it is translated
 * lower/    translates it, function by function
 * code/     improves the bytecode of a function, and gives registers
 *
 * All of it runs once, in one thread; the loader owns what it has made until the program is
 * whole, which is immutable.  What fails says so by load_fail, and returns false. */
#ifndef VM_LOAD_H
#define VM_LOAD_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

#include "vm/load/table.h"
#include "vm/program.h"

struct loader {
    const struct vm_load *load;
    struct vm_program *program;
    char **error;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    struct map user;        /* interned names that the user's files define */
    struct map strings;     /* hash of a text -> 1, or its place in names + 2 */
    struct map functions;   /* LLVM function -> index + 1 */
    struct map globals;     /* LLVM global -> index + 1 in its region */
    struct map tls;         /* LLVM thread-local -> offset + 1: see load_const.c */
    struct map locations;   /* debug location -> index of its vm_loc */
    struct map debug_types; /* node of a type -> its place in debug_types_out + 1 */
    struct map types;       /* hash of a function type's text -> signature + 1 */
    struct list covered;    /* load_covered.c */
    struct list monitored;  /* LLVMValueRef: variables that the monitor reads */
    struct list functions_out, globals_out, consts_out, values, args, calls, cases, paddings,
        locs, signatures, texts, arena, names, sites, variables, debug_types_out, made;
    struct map pads;      /* landingpad -> its place in pad_list + 1 */
    struct map selectors; /* guest pointer of a type info -> number */
    struct list pad_list; /* struct pad */
    uint64_t tls_size;
    uint32_t tls_const; /* index of the image */
    LLVMValueRef *llvm_functions;
    struct map scopes, notes, fragments; /* see lower/load_note.c; with vm_load.notes */
    struct list scope_parents, loc_scopes, noted, noted_functions;
    bool hid_pointer; /* a constant is computed from an address, and does not show it */
};

#define LOAD_AS_WRITTEN "divm-as-written" /* attribute in the place of optnone */
#define LOAD_QUERIED "divm-queried"       /* its local variables are asked for */
/* The section of variables of the libraries that nothing protects. */
#define LOAD_UNORDERED ".divm.unordered"
/* The section of functions that know the kernel's objects (vm/hypercall.h). */
#define LOAD_KERNEL ".divm.kernel"
void *load_alloc(struct loader *l, size_t size);
const char *load_string(struct loader *l, const char *text, size_t n);
__attribute__((format(printf, 2, 3))) bool load_fail(struct loader *l, const char *format, ...);

/* Is it defined by the user's files? */
bool load_is_user(struct loader *l, LLVMValueRef v);
/* A constant of up to 64 bits: its value. */
bool load_is_const_int(LLVMValueRef v, uint64_t *value);
/* The alignment that a call promises for what its argument k points to, or 0. */
uint64_t load_argument_align(LLVMValueRef call, unsigned k);

struct pad { /* a landing pad; the rest is known once its table is published */
    LLVMValueRef instruction;
    uint64_t clauses; /* guest pointer */
    uint32_t count;
    bool cleanup;
};

#endif
