/* program.h - a loaded program: functions of bytecode, globals, constants.
 * Written by vm/load/, immutable afterwards, shared by all machines. */
#ifndef VM_PROGRAM_H
#define VM_PROGRAM_H

#include "vm.h"
#include "vm/exec/may_write.h"
#include "vm/heap/object.h"
#include "vm/type.h"

enum vm_op {
#define VM_INSN(name, meaning) VM_OP_##name,
#include "insn.def"
    VM_OP_COUNT,
#define VM_PAIR(name, first, second, third) VM_OP_##name,
#include "pair.def"
};

/* Returns the opcode of an instruction alone: of a pair (pair.def), that of its first
 * instruction. */
unsigned vm_first_op(unsigned op);

enum { /* vm_insn.flags of arithmetic */
       VM_NSW = 1,
       VM_NUW = 2,
       VM_EXACT = 4,
       VM_DISJOINT = 8,
       VM_CHECKED = 16, /* an overflow is a fault at once, not poison */
       /* of memory accesses */
       VM_VOLATILE = 1, /* visible, but no synchronisation */
       VM_LIGHT = 1,    /* a fence: lfence or sfence, after which stores may still wait */
       VM_WEAK = 1,     /* a compare-exchange that may fail spuriously */
       VM_FENCED = 2, /* a seq_cst fence comes before it; of calls as well (vm_orders_fence) */
       VM_ANYWHERE = 4, /* a read-modify-write that need not be aligned */
       VM_GUARD = 4,    /* a look at a static local variable's guard, before its acquisition */
       /* of atomic accesses and fences: what they order; of a compare-exchange that fails */
       VM_SEQ_CST = 8,
       VM_ACQUIRES = 16,
       VM_RELEASES = 32,
       VM_FAIL_ACQUIRES = 64,
       VM_FAIL_SEQ_CST = 128,
};

/* Flags of INT1: VM_NSW: the least number, or 0, gives poison. */
/* Checks of clang's that trap and have a fault of their own, by clang's numbers. */
enum vm_checked { VM_CHECKED_INDEX = 18, VM_CHECKED_LENGTH = 24 };
enum vm_int1 { VM_CTPOP, VM_CTLZ, VM_CTTZ, VM_BSWAP, VM_BITREVERSE, VM_ABS };
enum vm_int2 {
    VM_SMIN,
    VM_SMAX,
    VM_UMIN,
    VM_UMAX,
    VM_SADD_SAT,
    VM_UADD_SAT,
    VM_SSUB_SAT,
    VM_USUB_SAT,
    VM_PTRMASK,
    VM_SCMP,
    VM_UCMP,
};
enum vm_overflow { VM_SADD_O, VM_UADD_O, VM_SSUB_O, VM_USUB_O, VM_SMUL_O, VM_UMUL_O };
enum vm_rmw {
    VM_XCHG,
    VM_RADD,
    VM_RSUB,
    VM_RAND,
    VM_RNAND,
    VM_ROR,
    VM_RXOR,
    VM_RMAX,
    VM_RMIN,
    VM_RUMAX,
    VM_RUMIN,
    VM_RFADD,
    VM_RFSUB,
    VM_RFMAX,
    VM_RFMIN,
    VM_RINC,
    VM_RDEC,
};
enum vm_float1 {
    VM_FABS,
    VM_SQRT,
    VM_FLOOR,
    VM_CEIL,
    VM_TRUNCF,
    VM_RINT,
    VM_NEARBYINT,
    VM_ROUND,
    VM_ROUNDEVEN,
    VM_SIN,
    VM_COS,
    VM_EXP,
    VM_EXP2,
    VM_LOG,
    VM_LOG2,
    VM_LOG10,
    VM_TAN,
    VM_ASIN,
    VM_ACOS,
    VM_ATAN,
    VM_SINH,
    VM_COSH,
    VM_TANH,
    VM_EXP10,
    VM_CANONICAL,
};
enum vm_float2 {
    VM_COPYSIGN,
    VM_MINNUM,
    VM_MAXNUM,
    VM_MINIMUM,
    VM_MAXIMUM,
    VM_POW, /* and with an integer: */
    VM_LDEXP,
    VM_POWI
};

struct vm_insn {
    uint16_t op;
    uint8_t w; /* width in bits where it matters */
    uint8_t flags;
    uint32_t d, a, b;
    union {
        uint64_t k;
        struct {
            int32_t offset; /* its halves, of INDEX and the like */
            uint32_t scale;
        };
    };
};

/* A value that is known when the program is loaded. */
struct vm_const {
    uint64_t value;
    uint16_t shadow;
};

/* The source of one register of a call's arguments: a register, or a constant if the top bit is
 * set. */
struct vm_arg {
    uint32_t src;
};
enum {
    VM_ARG_CONST = 0x80000000u,
    VM_ARG_NONNULL = 0x80000000u /* of one that must be defined: and not null */
};

/* The arguments of a call: registers for the fixed parameters, then variadic
 * ones; byval arguments are copied. */
struct vm_call {
    uint32_t first, nfixed; /* in program->args; registers of fixed params */
    uint32_t nvar;          /* registers after them, 8 bytes each in va area */
    uint32_t nnoundef;      /* then fixed registers that must be defined */
    uint32_t nbyval;        /* copies were made for it (BYVAL) */
    uint32_t signature;
    uint32_t nret;         /* result registers the caller wants */
    uint32_t unwind;       /* instruction where an exception goes on, or 0 */
    uint32_t landing, pad; /* two registers for it; the loader's landing pad */
    uint64_t
        through; /* tracked variables that may be written by the pointers that are passed */
};

struct vm_site { /* an instruction of LLVM that SITE counts, or what COVER marks */
    const char *name, *function; /* name: of a mark "function", "line" or "branch" */
    uint32_t loc;
    uint32_t edges; /* of the first of a branch's marks: how many there are */
};

struct vm_case {
    uint64_t value;
    uint32_t target;
};

struct vm_loc { /* source location of an instruction */
    const char *function, *file;
    uint32_t line;
    uint16_t column;
    bool library;        /* in one of libc++'s headers */
    bool chooses;        /* `made` is the variable that gets what is chosen here */
    uint32_t inlined_at; /* index of the call's vm_loc, 0 if none */
    uint32_t made;       /* what is allocated here: its number in program->made + 1, or 0 */
};

struct vm_function {
    const char *name;
    struct vm_insn *code;
    uint32_t *locs; /* per instruction, index into program->locs */
    uint32_t ncode;
    uint32_t nregs;      /* words of a frame, header included */
    uint32_t nparams;    /* parameter registers */
    uint32_t signature;  /* interned type */
    uint32_t va_reg;     /* register of the variadic area, 0 if not variadic */
    uint64_t *live;      /* per suspension point, nregs bits each */
    uint32_t *live_at;   /* per instruction, index of its set + 1, or 0 */
    uint64_t *may_write; /* per instruction: tracked variables that it, or what can follow, may
                         write (may_write.h); NULL: none */
    bool variadic;
    bool library : 1;
    bool runtime : 1; /* of divm's own libraries: so is whatever was inlined in it */
    bool kernel;      /* may access what is hidden from the program */
    bool defined;
    bool keeps_all;  /* calls setjmp: registers are never dead */
    bool catches;    /* has landing pads: the unwinder goes on there */
    bool takes_more; /* it is defined in C without a prototype: it ignores further arguments */
    bool structor; /* a constructor or destructor of the program: so it does, and has any result
                    */
};

struct vm_signature {
    const char *text;
    bool unprototyped; /* T (...): called without a prototype */
    uint32_t fixed;    /* of T (P, ...): T (P), + 1; or 0 */
    uint32_t nregs, nret;
    uint32_t nparams;
    const void *result, *const *params; /* types: only which of them are the same can be said */
};

struct vm_global {
    const char *name;
    struct vm_obj *init;
    bool library;
    bool monitored;             /* the monitor reads it */
    const struct vm_type *type; /* NULL: unknown */
};

enum vm_note { VM_NOTE_CONST = 1, VM_NOTE_UNKNOWN = 2 }; /* vm_insn.flags of NOTE */

/* The user's functions once more, with a NOTE wherever a local variable that is in registers
 * gets a value.  Machines with vm_options.notes execute these. */
struct vm_notes {
    struct vm_function *functions; /* in the place of the program's */
    struct vm_noted {
        struct vm_variable variable;
        uint32_t scope;
    } *variables;
    uint32_t *scope_of;     /* per item of program->locs: its scope, 0 if none */
    uint32_t *scope_parent; /* per scope: the scope around it, 0 if none */
    uint32_t nvariables, nlocs, nscopes;
};

/* Which bytes threads have accessed, and how: for each manner a hash table of words, with a bit
 * for each of their bytes.  All machines of a program note it at once (vm/order/mixed.h). */
enum { VM_MANNERS = 6, VM_MIXED_WORDS = 1 << 15 };
struct vm_mixed {
    _Atomic(uint8_t) bytes[VM_MANNERS * VM_MIXED_WORDS];
};

/* The bits of a compare-exchange's value that are padding, which nobody need set: of one word,
 * or of two.  Those that the debug metadata do not tell of are not known. */
struct vm_padding {
    uint64_t bits[2];
    bool known;
    bool ignored; /* as in C++: only what is not padding is compared */
};

struct vm_program {
    struct vm_function *functions;
    uint32_t nfunctions;
    struct vm_global *globals; /* mutable: region VM_ID_GLOBAL */
    uint32_t nglobals;
    struct vm_global *consts; /* region VM_ID_CONST */
    uint32_t nconsts;
    struct vm_obj **const_objs; /* consts[i].init, for the machine's tables */
    struct vm_const *values;    /* pool for arguments */
    struct vm_arg *args;
    struct vm_call *calls;
    struct vm_case *cases;
    struct vm_padding *paddings; /* of CMPXCHG */
    struct vm_loc *locs;
    struct vm_signature *signatures;
    const char **texts;            /* of UNSUPPORTED */
    struct vm_variable *variables; /* of ALLOCA */
    struct vm_variable *made;      /* what is allocated, and chosen */
    struct vm_site *sites; /* of COVER, if it covers; or of SITE: the first stands for all of
                              the library */
    size_t nsites;
    uint32_t nthread_locals;      /* of the program's own; see vm_boot */
    uint32_t thread_locals_const; /* constant that the first of them begins as; the others
                                     stand after it */
    uint32_t boot;                /* function __boot */
    uint32_t nvalues, nargs, ncalls, ncases, npaddings, nlocs, nsignatures, ntexts, nvariables,
        nmade;                         /* of these tables */
    uint32_t nloaded, nloaded_globals; /* those that do not depend on how it is started */
    bool takes_arguments;              /* main has parameters */
    bool changes_environment; /* it may: main is given it, or calls setenv or the like */
    uint32_t boot_const;      /* constant that holds struct vm_boot */
    uint64_t hash;
    struct vm_weak weak;      /* no places: there are none */
    const char *unprototyped; /* a function that takes_more, and where it stands, or NULL */
    bool as_written;          /* some of the user's code is not optimised */
    uint8_t *tracked; /* per global variable: its number (may_write.h), or 0; NULL: none is */
    bool interrupts;  /* some function can set VM_FLAG_INTERRUPTS */
    bool covers;      /* it has marks for coverage */
    bool fences;      /* the program has fences, or a library that it uses */
    bool weak_exchanges;  /* the user's code has some with VM_WEAK */
    bool open_exchanges;  /* and some whose type is not known */
    bool large_atomics;   /* the user's code has some that no instruction accesses */
    bool attempts;        /* the user's code tries to lock something, which may fail */
    bool monitor_follows; /* pointers, so that it may read any object */
    bool forks;           /* some function can copy the process (VM_REG_FORK) */
    void **arena;         /* narena allocations: strings, code, tables of functions */
    size_t narena;
    struct vm_notes *notes; /* with vm_load.notes; else NULL.  In the arena */
    struct vm_mixed *mixed; /* NULL until vm_set_start */
    void *image; /* or one, with all tables but globals and consts (program_bytes.c) */
};

/* program_bytes.c: appends a program, as it is before vm_set_start, to bytes; and makes one
 * from them. */
void vm_program_write(const struct vm_program *program, struct vm_bytes *out);
struct vm_program *vm_program_read(const unsigned char *bytes);

/* May the function be called as one of this type?  The call says what the arguments must be. */
bool vm_may_be_called(const struct vm_program *program, uint32_t signature,
                      const struct vm_function *function);
/* May a function of type b be called as one of type a, which has more parameters? */
bool vm_ignores_more(const struct vm_signature *a, const struct vm_signature *b,
                     const struct vm_function *function);
/* May a thread stop before such an instruction (hypercall.c)? */
bool vm_stops_at(unsigned op);

#define VM_FRAME_HEADER 2u /* words: parent, pc */

#endif
