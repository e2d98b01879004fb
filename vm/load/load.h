/* load.h - the loader: LLVM bitcode to the machine's program.
 *
 * load.c        from one LLVM module to a program
 * load_kept.c   programs that were loaded before
 * load_link.c   files, linking, passes: that module
 * load_runtime.c  what is needed of the archives
 * load_names.c  names that are not for the program
 * load_init.c   constructors and destructors in sections
 * load_ar.c     archives of bitcode and their symbol index
 * load_elf.c    bitcode in objects and executables
 * load_const.c  constants and global variables
 * load_func.c   functions: blocks, phis, branches
 * load_insn.c   instructions
 * load_memory.c those that access memory
 * load_flow.c   branches, switches, returns
 * load_vector.c aggregates and vectors
 * load_apint.c   integers of more than 64 bits
 * load_longdouble.c x86_fp80 and fp128
 * load_call.c   calls, hypercalls
 * load_intrin.c intrinsics
 * load_masked.c those of masked memory, and fixed-point numbers
 * load_pad.c    atomic objects of odd sizes
 * load_exchange.c, load_layout.c  compare-exchange of what has padding
 * load_exit.c   what is used until exit is called
 * load_check.c  checks that clang makes
 * load_scope.c  local variables that end with their block
 * load_order.c  blocks, and the ways between them
 * load_keep.c, load_unset.c  local variables whose errors an optimiser would drop
 * load_pair.c   instructions that are done at once
 * load_regs.c   liveness and registers
 * load_profile.c what is counted
 * load_may_write.c what code can still do
 * load_unwind.c exceptions: landing pads and their tables
 * load_debug.c  source places and names
 * load_type.c   types of the debug metadata
 * load_made.c   what is allocated where
 *
 * All of it runs once, in one thread; the result is immutable. */
#ifndef VM_LOAD_H
#define VM_LOAD_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "vm/exec/apint.h"
#include "vm/exec/longdouble.h"
#include "vm/program.h"

/* A hash table from pointers or interned strings to numbers (0: absent). */
struct map {
    const void **key;
    uint32_t *value;
    size_t n, capacity;
};
uint32_t map_get(const struct map *map, const void *key);
void map_put(struct map *map, const void *key, uint32_t value);
void map_fini(struct map *map);

/* A growing array of fixed-size items. */
struct list {
    void *data;
    size_t n, capacity, item;
};
void *list_push(struct list *list, const void *item); /* to the new item */

/* A set of virtual registers that get slots together. */
struct group {
    uint32_t first, size; /* virtual registers */
    uint32_t slot;        /* the real register of the first, once chosen */
    bool fixed;           /* slot is given: a parameter */
};

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
    struct list functions_out, globals_out, consts_out, values, args, calls, cases, locs,
        signatures, texts, arena, names, sites, variables, debug_types_out, made;
    struct map pads;      /* landingpad -> its place in pad_list + 1 */
    struct map selectors; /* guest pointer of a type info -> number */
    struct list pad_list; /* struct pad */
    uint64_t tls_size;
    uint32_t tls_const; /* index of the image */
    LLVMValueRef *llvm_functions;
    bool hid_pointer; /* a constant is computed from an address, which it does not show */
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
    struct map scoped;    /* allocas that end at their marks: see load_scope.c */
    struct list starts;   /* uint32_t: first instruction of each block */
    struct list stubs;    /* struct stub: edges with phis or backwards */
    struct list fixups;   /* struct fixup */
    uint32_t loc;         /* of the instruction being lowered */
    uint32_t block;       /* number of the block being lowered */
    LLVMBasicBlockRef present;
    uint32_t va;  /* register of the variadic area */
    bool user;    /* the user's code: checked as its author wrote it */
    bool optnone; /* and the optimiser has left this function alone */
};

struct fixup { /* an instruction's target that is a block or a stub */
    uint32_t insn;
    enum { FIX_K, FIX_HIGH, FIX_LOW, FIX_D, FIX_CASE, FIX_HERE, FIX_UNWIND } field;
    uint32_t target; /* block number, or stub number | TO_STUB; FIX_HERE: the instruction for d;
                        FIX_UNWIND: insn is a place in calls */
};
enum { TO_STUB = 0x80000000u };

struct pad { /* a landing pad; the rest is known once its table is published */
    LLVMValueRef instruction;
    uint64_t clauses; /* guest pointer */
    uint32_t count;
    bool cleanup;
};

struct stub {
    uint32_t from, to; /* blocks */
    LLVMBasicBlockRef from_block, to_block;
    uint32_t start; /* instruction */
};

/* load.c */
#define LOAD_AS_WRITTEN "divm-as-written" /* attribute in the place of optnone */
/* The section of variables of the libraries that nothing protects. */
#define LOAD_UNORDERED ".divm.unordered"
/* The section of functions that know the kernel's objects (vm/hypercall.h). */
#define LOAD_KERNEL ".divm.kernel"
void *load_alloc(struct loader *l, size_t size);
const char *load_string(struct loader *l, const char *text, size_t n);
__attribute__((format(printf, 2, 3))) bool load_fail(struct loader *l, const char *format, ...);

/* load_kept.c */
/* What the program depends on; false if it is none to be kept. */
bool load_kept_key(const struct vm_load *load, uint64_t key[2]);
/* Unless the files have changed since the key was made. */
void load_keep(const struct vm_load *load, const uint64_t key[2],
               const struct vm_program *program);

/* load_link.c */
bool load_link(struct loader *l);                    /* l->module, complete */
bool load_is_user(struct loader *l, LLVMValueRef v); /* defined by the user's files */
/* A module, or what an ELF file carries: added to the list. */
bool link_parse(struct loader *l, const char *data, size_t size, const char *name,
                struct list *modules);
/* All as one, or NULL; takes the modules. */
LLVMModuleRef link_join(struct loader *l, const struct list *modules, const char *name);
/* What only modules of the program's own are looked through for; false: refused. */
bool link_is_fit(struct loader *l, LLVMModuleRef module, const char *name);
const void *link_name(const char *name); /* a key for maps */
bool link_is_local(LLVMValueRef v);
/* Called from outside, or by what the loader makes (resume). */
bool link_is_entry(const struct loader *l, const char *name);
/* Functions, variables and aliases. */
void link_visit(LLVMModuleRef module, void (*visit)(LLVMValueRef v, void *context),
                void *context);
bool link_drop(struct loader *l, LLVMModuleRef module); /* what nothing reaches */
bool link_fold(struct loader *l, LLVMModuleRef module); /* what constants say */
bool link_simplify(struct loader *l, LLVMModuleRef module);

/* load_runtime.c: what l->module needs of the archives, or NULL */
LLVMModuleRef link_runtime(struct loader *l);
/* What the program's module needs of the user's archives comes into it. */
bool link_own(struct loader *l);
/* Names of the program's module that the archives have, too, and no header has, become its own.
 */
bool link_hide_names(struct loader *l);

/* load_init.c: what a program's module has in sections of constructors and destructors comes
 * into the lists that clang makes of those with the attribute.  Priorities are numbers to
 * 65535, and these: */
enum { LOAD_LAST = 65535 /* none was given */, LOAD_NEARLY_LAST, LOAD_FIRST };
bool load_sections(struct loader *l, LLVMModuleRef module);

/* load_names.c: does a module of the program's refer to no hypercall?  If it does, that is an
 * error. */
bool load_has_no_hypercalls(struct loader *l, LLVMModuleRef module, const char *file);
/* Would it be hidden if the archives have the name?  It gets another one. */
bool load_is_hidden_name(const struct loader *l, LLVMValueRef v);
void load_hide_name(LLVMValueRef v);
size_t load_name_length(const char *name); /* as its author wrote it */

/* load_ar.c: an open archive, its members found by symbol */
struct archive;
struct archive *archive_open(const char *path, char **error);
void archive_close(struct archive *a);
/* The member that defines a symbol, or NULL; the bytes belong to the archive. */
const void *archive_find(struct archive *a, const char *symbol, size_t *size);
uint64_t archive_hash(const struct archive *a); /* of all its bytes */

/* load_elf.c: whether it is an ELF file of ours; the modules that it carries, one
 * behind the other, or NULL; the length of the first of them, 0 if there is none. */
bool elf_is(const void *data, size_t size);
const char *elf_bitcode(const void *data, size_t size, size_t *length);
size_t elf_module(const char *bitcode, size_t length);

/* load_const.c */
bool load_globals(struct loader *l);
bool load_boot(struct loader *l);
uint32_t load_type_regs(struct loader *l, LLVMTypeRef type); /* registers of a value */
/* Register k of a constant; false if it cannot be known. */
bool load_const_reg(struct loader *l, LLVMValueRef c, uint32_t k, struct vm_const *out);
/* Bytes that a constant GEP adds to its address. */
bool load_const_offset(struct loader *l, LLVMValueRef c, int64_t *out);
/* The value of &&label. */
uint64_t load_label(struct loader *l, LLVMValueRef function, LLVMBasicBlockRef block);
uint32_t load_value(struct loader *l, struct vm_const c); /* into the pool */

/* load_func.c */
bool load_function(struct loader *l, uint32_t index);
uint32_t lower_new(struct lowering *w, uint32_t n);        /* n virtual registers */
uint32_t lower_result(struct lowering *w, LLVMValueRef v); /* registers of a value */
uint32_t lower_use(struct lowering *w, LLVMValueRef v);    /* where a value is */
struct vm_insn *lower_emit(struct lowering *w, struct vm_insn insn);
void lower_unsupported(struct lowering *w, const char *what, bool bad_call);
void lower_jump(struct lowering *w, LLVMBasicBlockRef to);
uint32_t lower_target(struct lowering *w, LLVMBasicBlockRef to);
void lower_fix(struct lowering *w, uint32_t insn, int field, uint32_t target);
bool lower_is_const_int(LLVMValueRef v, uint64_t *value);

/* load_memory.c */
void lower_access(struct lowering *w, LLVMValueRef i, bool store);
void lower_fence(struct lowering *w, LLVMValueRef i);
void lower_full_fence(struct lowering *w);
/* An element of a vector, at pointer + offset. */
void lower_element_access(struct lowering *w, uint32_t pointer, uint64_t offset, uint32_t value,
                          LLVMTypeRef t, unsigned align, bool store);
bool load_is_guard(LLVMValueRef load); /* of a static local variable's guard */
void lower_rmw(struct lowering *w, LLVMValueRef i);
void lower_cmpxchg(struct lowering *w, LLVMValueRef i);
void lower_alloca(struct lowering *w, LLVMValueRef i);
void lower_make(struct lowering *w, LLVMValueRef alloca); /* here */
void lower_va_arg(struct lowering *w, LLVMValueRef i);
void lower_gep(struct lowering *w, LLVMValueRef i);

/* load_insn.c, load_call.c */
/* Refuses the instruction when it is executed; its result is undefined. */
void lower_no_result(struct lowering *w, LLVMValueRef i, LLVMTypeRef t);
void lower_instruction(struct lowering *w, LLVMValueRef i);
const char *load_opcode_name(LLVMOpcode op);
void lower_call(struct lowering *w, LLVMValueRef i);
/* load_intrin.c: a call of "llvm." name */
void lower_intrinsic(struct lowering *w, LLVMValueRef call, const char *name);
/* Its name in the table, or NULL. */
const char *load_intrinsic_name(const char *name);
uint32_t load_signature(struct loader *l, LLVMTypeRef type);
unsigned lower_width(struct lowering *w,
                     LLVMTypeRef type);         /* bits of a scalar, 0 if too wide */
unsigned lower_float_predicate(LLVMValueRef i); /* of a compare, or its constrained call */
void lower_float_op(struct lowering *w, LLVMValueRef i,
                    LLVMOpcode op); /* i: instruction or call */
/* half and bfloat are computed with as floats: n registers as floats, and back. */
bool lower_is_half(LLVMTypeRef type);
bool lower_is_bfloat(LLVMTypeRef type);
uint32_t lower_from_half(struct lowering *w, LLVMTypeRef type, uint32_t reg, uint32_t n);
void lower_to_half(struct lowering *w, LLVMTypeRef type, uint32_t d, uint32_t a, unsigned from);
/* Not optimised: overflow is a fault where it occurs, not poison. */
bool lower_as_written(struct lowering *w);
unsigned lower_arith_flags(struct lowering *w, LLVMValueRef i, LLVMOpcode op);

uint32_t lower_begin(struct lowering *w, LLVMValueRef i,
                     uint32_t n); /* the result's registers, begun as a whole */

void lower_refuse(struct lowering *w, LLVMTypeRef t);

/* load_exchange.c */
void load_exchanges(struct loader *l); /* in the user's module */

/* load_weak.c: the program's weak, by the user's module, before load_exchanges */
void load_weak_orders(struct loader *l);

/* load_memory_order.c: orders by C's numbers */
enum { LOAD_SEQ_CST = 5, LOAD_ORDER_UNKNOWN }; /* the latter: before the program runs */
/* Of an atomic access; of a compare-exchange that of a failure where only it is weak, unless
 * the first is all that counts. LOAD_SEQ_CST of any other instruction. */
int load_memory_order(LLVMValueRef instruction, bool first);
/* The first weak one of a call's last n arguments, which are orders; likewise. */
int load_passed_order(LLVMValueRef call, unsigned n, bool first);

/* load_layout.c: what the debug metadata say of an address, while local variables are in
 * memory */
struct load_declared {
    struct loader *l;
    struct map places;     /* of a function's local variables in `types`, + 1 */
    struct list types;     /* LLVMMetadataRef */
    struct list variables; /* likewise */
};
void load_declared_init(struct load_declared *d, struct loader *l, LLVMValueRef function);
void load_declared_fini(struct load_declared *d);
/* The type of the object of so many bytes at an address; NULL: not known. */
LLVMMetadataRef load_type_at(struct load_declared *d, LLVMValueRef address, uint64_t size);
/* The local variable at an address, or NULL. */
LLVMMetadataRef load_declared_variable(const struct load_declared *d, LLVMValueRef address);
/* What a pointer points to, without qualifiers; NULL if it is none. */
LLVMMetadataRef load_pointee(struct loader *l, LLVMMetadataRef type);
bool load_is_scalar(LLVMMetadataRef type);
/* Sets the bits of a type that hold its values, all others being padding, from a bit on; false:
 * not known. */
bool load_value_bits(struct loader *l, LLVMMetadataRef type, uint64_t at, uint64_t *words,
                     uint64_t nbits);

/* load_pad.c */
LLVMValueRef load_copied_from(LLVMValueRef alloca); /* a call of memcpy, or NULL */
bool load_is_padded(LLVMTypeRef t);
void load_padding(struct loader *l, LLVMModuleRef module);

/* load_exit.c */
void load_exits(struct loader *l, LLVMModuleRef module);

/* load_atomic.c: functions that are atomic sections, and which are by name */
void load_atomic_functions(struct loader *l);
bool load_is_atomic(const char *name);

/* load_adapt.c: calls, by other integer types, of what <divm.h> declares */
void load_adapt(struct loader *l);

/* load_asm.c: inline assembly that is known becomes what it does; so do the intrinsics that
 * read the counter of cycles */
void load_asm(struct loader *l, LLVMModuleRef module);

/* load_asm_text.c */
enum load_asm {
    LOAD_ASM_HINT, /* or empty */
    LOAD_ASM_FENCE,
    LOAD_ASM_CYCLES,        /* ax is the counter */
    LOAD_ASM_CYCLES_HALVES, /* ax is its lower half, dx the upper one, cx 0 */
    LOAD_ASM_FEATURES,      /* none: all results are 0 */
    LOAD_ASM_OTHER
};
enum load_asm load_asm_kind(const char *text, size_t n);

/* load_check.c: drops the checks of what the machine finds out itself */
void load_checks(struct loader *l, LLVMModuleRef module);
void lower_trap(struct lowering *w, LLVMValueRef trap);

/* load_scope.c: the marks that are left are those that lower_mark is to mind */
enum load_mark { LOAD_NO_MARK, LOAD_BEGINS, LOAD_ENDS };
enum load_mark load_mark(LLVMValueRef i);
void load_scopes(struct loader *l, LLVMModuleRef module);
void lower_scopes(struct lowering *w);
void lower_mark(struct lowering *w, LLVMValueRef call);
/* Its number in its function if it ends at a mark, else 0; and whether it is made at one. */
uint32_t lower_scoped(struct lowering *w, LLVMValueRef alloca, bool *anew);

/* load_keep.c: local variables that may be read before they are set stay in memory; after
 * mem2reg, those with a wrong access, or one that comes after their end, too */
void load_keep_unset(struct loader *l, LLVMModuleRef module);
void load_keep_wrong(struct loader *l, LLVMModuleRef module);

/* load_unset.c: what is done with a local variable, and where */
struct load_use {
    LLVMValueRef i;
    uint64_t bytes;      /* a bit for each of the first 64 that is read or set */
    bool writes, copies; /* copies: reading what is not set is no error yet */
    enum load_mark mark; /* or it begins or ends here */
};

/* load_order.c: a function's blocks, and where in them its instructions are */
enum { LOAD_MAX_VALUES = 15 };
struct load_order {
    uint32_t n;
    LLVMBasicBlockRef *block;
    struct map blocks, places;
    LLVMValueRef slot; /* clang's cleanup.dest.slot, or NULL */
    uint64_t value[LOAD_MAX_VALUES];
    uint32_t nvalues, *leaves; /* per block: the value that it leaves in it, from 1 on; or 0 */
};
void load_order_init(struct load_order *o, LLVMValueRef function);
void load_order_fini(struct load_order *o);
uint32_t load_order_block(struct load_order *o, LLVMValueRef i); /* from 0 on */
/* A way is a block with a value in the slot, number * n + block; the function begins with 0. */
static inline uint32_t load_order_edges(const struct load_order *o)
{
    return (o->nvalues + 1) * o->n;
}
/* Calls visit with each way that one leads to. */
void load_order_follow(struct load_order *o, uint32_t from,
                       void (*visit)(void *context, uint32_t from, uint32_t to), void *context);

/* load_unset.c: what becomes of a variable, whatever way is gone */
/* Each sorts the uses.  May it be read before it is set?  Only those of up to 64 bytes. */
bool load_maybe_unset(struct load_order *o, struct load_use *uses, size_t n);
/* May it be used after its end? */
bool load_maybe_ended(struct load_order *o, struct load_use *uses, size_t n);
/* Whatever way leads to a use: has it begun there? */
bool load_always_begun(struct load_order *o, struct load_use *uses, size_t n);

/* load_profile.c: counts an instruction, if there is a profile (NULL: of the library) */
void lower_count(struct lowering *w, LLVMValueRef i);

/* load_masked.c; false if it is not supported */
bool lower_masked(struct lowering *w, LLVMValueRef call, const char *name);
bool lower_fixed(struct lowering *w, LLVMValueRef call, unsigned how);

/* load_flow.c */
void lower_br(struct lowering *w, LLVMValueRef i);
void lower_callbr(struct lowering *w, LLVMValueRef i);
void lower_switch(struct lowering *w, LLVMValueRef i);
void lower_indirect(struct lowering *w, LLVMValueRef i);
void lower_ret(struct lowering *w, LLVMValueRef i);

/* load_vector.c */
void lower_extract(struct lowering *w, LLVMValueRef i);
void lower_insert(struct lowering *w, LLVMValueRef i);
void lower_element(struct lowering *w, LLVMValueRef i, bool insert);
void lower_shuffle(struct lowering *w, LLVMValueRef i);
void lower_select(struct lowering *w, LLVMValueRef i);
void lower_freeze(struct lowering *w, LLVMValueRef i);
void lower_vector_gep(struct lowering *w, LLVMValueRef i);

/* load_apint.c: integers of more than 64 bits; false if i is none of these */
bool lower_apint(struct lowering *w, LLVMValueRef i);
bool lower_is_apint(LLVMTypeRef type);
unsigned lower_int_bits(LLVMTypeRef type); /* of an integer or of a vector's, else 0 */
void lower_apint_lanes(struct lowering *w, LLVMValueRef i, enum vm_apint_op op, unsigned flags,
                       LLVMTypeRef from, LLVMTypeRef to, const uint32_t *use);
void lower_recast(struct lowering *w, uint32_t d, LLVMTypeRef to, uint32_t a, LLVMTypeRef from);
LLVMTypeRef lower_packed(struct lowering *w, LLVMTypeRef t);

/* load_longdouble.c: x86_fp80 and fp128; false if i is none of these */
bool lower_is_longdouble(LLVMTypeRef type);
struct vm_const load_longdouble_const(LLVMValueRef c, uint32_t k);
bool lower_longdouble(struct lowering *w, LLVMValueRef i, LLVMOpcode op);
bool lower_longdouble_intrinsic(struct lowering *w, LLVMValueRef call, enum vm_longdouble_op op,
                                unsigned detail, unsigned operands);

/* load_pair.c */
void load_pairs(struct lowering *w);

/* load_peep.c, load_regs.c */
void load_peephole(struct lowering *w);
void load_merge_moves(struct lowering *w);
void load_registers(struct lowering *w);

/* load_unwind.c */
void lower_unwind_edge(struct lowering *w, LLVMValueRef invoke, uint32_t call);
void lower_resume(struct lowering *w, LLVMValueRef i);
void lower_selector(struct lowering *w, LLVMValueRef call); /* llvm.eh.typeid.for */
/* The table of struct vm_landing: its guest pointer, and how many there are. */
uint64_t load_landings(struct loader *l, uint64_t *count);
/* The table of struct vm_functions that say that nothing is thrown out of them, and its length.
 */
uint64_t load_nounwind(struct loader *l, uint64_t *count);

/* load_debug.c */
uint32_t load_location(struct loader *l, LLVMValueRef instruction);
uint32_t load_function_location(struct loader *l, LLVMValueRef function);
/* The type of a node, or NULL; what is only another name of it is left out. */
const struct vm_type *load_type(struct loader *l, LLVMMetadataRef md);
const char *load_type_name(struct loader *l, LLVMMetadataRef type); /* or "" */
const char *load_md_string(struct loader *l, LLVMMetadataRef md);   /* or NULL */

/* load_made.c: before local variables are put in registers; and what is known of a call then */
void load_note_made(struct loader *l, LLVMValueRef function);
struct vm_variable load_made(struct loader *l, LLVMValueRef call);

const struct vm_type *load_global_type(struct loader *l, LLVMValueRef global);
/* As the source has it: "Queue<int>::push". */
const char *load_global_name(struct loader *l, LLVMValueRef global);
const char *load_function_name(struct loader *l, LLVMValueRef function);
/* What the source calls the local variables of a function: their numbers in variables + 1. */
void load_variable_names(struct loader *l, LLVMValueRef function, struct map *names);
bool load_is_header(struct loader *l, LLVMValueRef function); /* from libc++'s headers */
bool load_is_header_scope(struct loader *l, LLVMMetadataRef scope);
/* The path of a scope's file, or "", and the line of its function, or 0. */
const char *load_scope_file(struct loader *l, LLVMMetadataRef scope);
unsigned load_scope_line(struct loader *l, LLVMMetadataRef scope);
/* The path of the file that was compiled, or "". */
const char *load_unit_file(struct loader *l, LLVMMetadataRef scope);
/* The mangled name of the function that a scope is in, or NULL. */
const char *load_linkage_name(struct loader *l, LLVMMetadataRef scope);
bool load_is_cxx(struct loader *l, LLVMValueRef function); /* known to be written in C++ */
/* Known to be defined without a prototype, as only C can. */
bool load_is_unprototyped(struct loader *l, LLVMValueRef function);
/* Of a node of metadata, or NULL. */
LLVMMetadataRef load_operand(struct loader *l, LLVMMetadataRef node, unsigned k);
LLVMMetadataRef load_variable(struct loader *l, LLVMValueRef global); /* or NULL */
/* DWARF's. */
enum load_tag {
    TAG_ARRAY = 0x01,
    TAG_CLASS = 0x02,
    TAG_ENUM = 0x04,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_REFERENCE = 0x10,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_INHERITANCE = 0x1c,
    TAG_BASE = 0x24,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_RVALUE_REFERENCE = 0x42,
    TAG_ATOMIC = 0x47,
};
/* Was the function compiled with VM_SCOPES? */
bool load_has_scopes(struct loader *l, LLVMValueRef function);

#endif
