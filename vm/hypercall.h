/* hypercall.h - the interface between the machine and the guest.
 *
 * Included by guest code (os, libpthread, libc: compiled to bitcode) and by the
 * host.  The machine knows objects, frames and these ten hypercalls; threads,
 * blocking, files and what an error means are guest code.  After "DiVM: Model
 * checking with LLVM and graph memory" (2017), Sections 3 to 6; differences are
 * in docs/ARCHITECTURE.md.
 *
 * Pointers are 64 bits: the region (VM_ID_*) from bit 61 on, the index of the object in it
 * from bit 32 on, and added to that the offset, which may be negative: at least -2^31, below
 * 2^31.  So they are calculated with as with numbers.  NULL is heap object 0. */
#ifndef VM_HYPERCALL_H
#define VM_HYPERCALL_H

#include <stddef.h>
#include <stdint.h>

enum { VM_ID_HEAP, VM_ID_FRAME, VM_ID_GLOBAL, VM_ID_CONST, VM_ID_CODE, VM_ID_COUNT = 8 };

/* The purpose of an object; given to obj_make, kept with the object.  The program's own
 * allocations, which the leak check counts, are told apart by the function that made them. */
enum vm_obj_kind {
    VM_OBJ_HEAP,          /* malloc and all that gives what free takes */
    VM_OBJ_NEW,           /* C++'s operators */
    VM_OBJ_ARRAY,         /* new[] */
    VM_OBJ_ALIGNED,       /* new with an alignment */
    VM_OBJ_ALIGNED_ARRAY, /* new[] with one */
    VM_OBJ_PRIVATE,       /* mmap, but what processes share */

    VM_OBJ_KERNEL = 16, /* the guest's bookkeeping: never shared, never raced upon */
    VM_OBJ_FRAME,       /* an activation frame, laid out as struct vm_frame */

    VM_OBJ_STACK = 32, /* an alloca; made by the machine, freed on return */
    VM_OBJ_TLS,        /* a thread's thread-local memory, or one of its variables */
    VM_OBJ_MAPPED,     /* memory that a fork does not copy: processes share it */
    VM_OBJ_GLOBAL,     /* a global variable; made by the loader */
    VM_OBJ_LIBRARY,    /* one of the libraries': as the guest's bookkeeping */
    VM_OBJ_CONST,      /* a constant; made by the loader, never written */

    VM_OBJ_HIDDEN = VM_OBJ_KERNEL, /* the bit that kinds have which only the kernel accesses */

    /* The bit that PRIVATE and MAPPED have if some page may not be read and written: set by
     * VM_REG_PROTECT, never given to obj_make or obj_free. */
    VM_OBJ_PROTECTED = 8
};

/* For obj_make.  With KERNEL or TLS: the object gets a stable id, and the bits from
 * VM_OBJ_DETAIL on are a number that no other such object has while it lives.  With FRAME: the
 * object is the first frame of a thread, and the number is the thread's.  Numbers are small and
 * not 0.  With TLS alone the bits are the number of the variable, from 0 on. */
enum { VM_OBJ_STABLE = 0x100, VM_OBJ_DETAIL = 9 };
/* For obj_free: the bits from VM_OBJ_DETAIL on are the size that the object must have. */
enum { VM_OBJ_SIZED = 0x100 };

/* An activation frame.  obj_size(function) is the size of its frame; its
 * parameters are the first registers.  A frame made by the guest starts with
 * pc = the function's address. */
struct vm_frame {
    struct vm_frame *parent; /* the caller, or NULL */
    void (*pc)(void);        /* where to go on: code pointer, offset = instruction */
    uint64_t reg[];
};

/* A thread, as the machine knows it: where it stopped, the word that it waits for there, or
 * NULL, and when it is ready: bit 0 if the word is zero, bit 1 if it is positive, bit 2 if
 * negative.  VM_READY_LAST: the thread is about to end the process, and what others can see of
 * that would be the same later; so the machine may choose it last. */
#define VM_READY_LAST (1u << 31)
struct vm_saved {
    struct vm_frame *frame;
    const int *word;
    uint32_t ready;
    uint32_t unused; /* the guest's */
};

/* Bits of `ready`: something else can end the wait, cancelling or a signal. */
enum { VM_READY_OTHERWISE = 32 | 64 | 128 };

/* Visible actions, as interrupt_mem and the machine's own atomics name them. */
enum vm_action {
#define VM_ACTION(name, text, orders, reads, shown) VM_ACT_##name,
#include "action.def"
    VM_ACT_COUNT
};

/* Faults of the machine and errors raised by the guest; see fault.def. */
enum vm_fault_kind {
#define VM_FAULT(name, class, text) VM_FAULT_##name,
#include "fault.def"
    VM_FAULT_COUNT
};

/* An access to an atomic object that no instruction accesses, by a function of the library. */
struct vm_large_access {
    const void *object;
    uint64_t size;
    int reads, writes, acquires, releases, seq_cst; /* what it does, and what it orders */
    int unused;
};

/* Control registers.  They are no part of a state: at the end of a transition
 * all but SCHEDULER, STATE and FAULT are cleared. */
enum vm_reg {
    VM_REG_SCHEDULER,     /* function called at the start of each transition */
    VM_REG_STATE,         /* root pointer of the kernel's objects */
    VM_REG_FAULT,         /* void (*)(int kind, struct vm_frame *at): fault handler */
    VM_REG_FRAME,         /* the running frame; SET drops the running stack and
                             resumes that frame: it does not return */
    VM_REG_SAVE,          /* the running thread: an interrupt stores the interrupted frame
                             here (a pointer to a struct vm_saved), or NULL */
    VM_REG_USER,          /* the guest's: the current thread */
    VM_REG_TLS,           /* base of the current thread's thread-local variables */
    VM_REG_FLAGS,         /* VM_FLAG_* */
    VM_REG_LEAK,          /* GET with a pointer (NULL first): the next of the
                             program's allocations that no root reaches, or NULL */
    VM_REG_BOOT,          /* GET: const struct vm_boot *, from the loader */
    VM_REG_FORK,          /* SET with a list of pointers, NULL at its end: copies these
                             objects, all globals and what they reach; the list then
                             names the copies.  Gives a space, and 0 in the copy of the
                             running frame.  ANDNOT: the process that is in ends, its
                             globals and what only they and the list reach are freed */
    VM_REG_ADDRESS_SPACE, /* SET: the process whose space this is comes in, that is, its
                     globals; 0: the first one, as at the end of a transition */
    VM_REG_DEFERRED,      /* void (*)(void): called, in the kernel, before the first instruction
                       of the running thread that another could notice, that could
                       notice another, or that sets VM_FLAG_KERNEL; the instruction is
                       done after that.  Not while VM_FLAG_DEFERRED is set.  Or 0 */
    VM_REG_SYMMETRIC, /* set when a thread begins: bit n: the thread with the number n can be
                   taken for others of these wherever they are in the same state */
    VM_REG_RUN,    /* SET by the scheduler with a struct vm_trace_run: it becomes USER and SAVE,
                      with its TLS, and its frame goes on in user mode */
    VM_REG_ENDED,  /* SET with a list of pointers to struct vm_saved, up to the end of its
                     object: all but the running thread have ended before */
    VM_REG_QUEUE,  /* SET with an address: which threads are queued there changes; GET: it is
                      looked at.  Both are accesses, of nothing else */
    VM_REG_ORDERS, /* SET with an address: what the running thread has done happens before what
                      is done by whoever does GET with the address later.  OR with the
                      address of an int: it has read the last value that was stored there.
                      ANDNOT with a struct vm_large_access: it has done that */
    VM_REG_PROTECT, /* SET with a struct vm_protect; GET with an address: what may be done with
                       its page, VM_PAGE_*, and VM_PAGE_MAPPED if it is one of a mapping */
    VM_REG_COUNT
};

/* Rights of whole pages of one mapping from now on.  An access of another thread that nothing
 * orders with the change, and that would be wrong after it, is a fault. */
struct vm_protect {
    void *at;
    size_t size;
    uint64_t rights; /* VM_PAGE_READ, VM_PAGE_WRITE; or VM_PAGE_GONE */
};
enum {
    VM_PAGE_READ = 1,
    VM_PAGE_WRITE = 2,
    VM_PAGE_RIGHTS = VM_PAGE_READ | VM_PAGE_WRITE,
    VM_PAGE_GONE = 4, /* alone: it was given back */
    VM_PAGE_MAPPED = 8,
    VM_PAGE_BYTES = 4096
};

enum vm_reg_op { VM_GET, VM_SET, VM_OR, VM_ANDNOT }; /* each returns the old value */

enum {
    VM_FLAG_KERNEL = 1 << 0,      /* no interrupts, no race checks */
    VM_FLAG_ALONE = 1 << 1,       /* one thread exists: its actions are not visible */
    VM_FLAG_ERROR = 1 << 2,       /* this transition ends in an error state */
    VM_FLAG_CANCEL = 1 << 3,      /* this transition does not exist (a failed assumption) */
    VM_FLAG_END = 1 << 4,         /* the process is over: the state has no successors */
    VM_FLAG_STOP = 1 << 5,        /* set by the guest with one of the three above, or with
                                     none to end the transition: the machine stops at once */
    VM_FLAG_COMMUTES = 1 << 6,    /* what is accessed now commutes with all that others do */
    VM_FLAG_OPAQUE = 1 << 7,      /* accesses don't tell what this commutes with */
    VM_FLAG_READS_FIXED = 1 << 8, /* what is read now cannot be read before it was written */
    VM_FLAG_INTERRUPTS = 1 << 9,  /* set in code that is linked where threads can be
                                     interrupted at their stops: tells that to the loader */
    VM_FLAG_DEFERRED = 1 << 10,   /* what follows need not wait for the call of
                                     VM_REG_DEFERRED */
    VM_FLAG_ORDER = 1 << 11,      /* the order of deferred joins matters: searches must begin
                                     again */
    VM_FLAG_TID = 1 << 12,        /* the number of one of VM_REG_SYMMETRIC matters: likewise */
    VM_FLAG_SECTION = 1 << 13,    /* what is executed under VM_FLAG_KERNEL is the program's,
                                     until the next action: its accesses are as atomic ones */
    VM_FLAG_DEAD = 1 << 14,       /* what is in dead registers matters: searches must begin
                                     again */
    VM_FLAG_CLOCK = 1 << 15,      /* a clock was read that stands still: others would show
                                     more */
    VM_FLAG_MONITOR =
        1 << 17, /* at the boot: the monitor takes a step before each transition */
    VM_FLAG_ACCEPT =
        1 << 18,            /* the monitor accepts a run in which this comes again and again */
    VM_FLAG_OVER = 1 << 19, /* the process is over, but for the monitor's steps */
    /* What is told of a transition beside its end. */
    VM_FLAGS_KEPT = VM_FLAG_CLOCK | VM_FLAG_ACCEPT | VM_FLAG_OVER,
    /* The flags that the machine has to know of at once. */
    VM_FLAGS_TOLD = VM_FLAG_STOP | VM_FLAG_OPAQUE | VM_FLAG_INTERRUPTS | VM_FLAG_ORDER |
                    VM_FLAG_TID | VM_FLAG_DEAD,
};

/* Functions that follow each other in the code: from begin up to end. */
struct vm_functions {
    void (*begin)(void), (*end)(void);
};

/* The loader's message to __boot. */
struct vm_boot {
    int argc;
    uint32_t options;  /* VM_BOOT_* */
    char *const *argv; /* argc + 1 pointers */
    char *const *envp;
    void (*const *ctors)(void); /* global constructors in order, NULL at the end */
    void (*const *dtors)(void);
    const void *tls_image; /* initial thread-local memory: pointers to what the program's own */
    size_t tls_size;       /* variables begin as, then the libraries' variables */
    size_t nthread_locals; /* so many pointers */
    void (*entry)(void);   /* main, or what --entry names */
    int entry_params;      /* how many parameters entry takes */
    void (*monitor)(void); /* or NULL */
    const struct vm_landing *landings; /* sorted by call */
    size_t nlandings;
    const struct vm_functions *nounwind; /* sorted: no exception leaves these functions */
    size_t nnounwind;
    const struct vm_file *files;
    size_t nfiles;
};

/* A file that exists from the start.  Its path begins at the root and ends with a slash for a
 * folder; standard input has no path.  Folders come before what is in them. */
struct vm_file {
    const char *name;
    const unsigned char *data;
    size_t size;
    int mode;
};

/* Where an exception that leaves a call continues, in the function that made the call. */
struct vm_landing {
    void (*call)(void); /* pc of a frame that waits for the call */
    void (*pad)(void);  /* its new pc */
    const struct vm_clause *clauses;
    uint32_t nclauses;
    uint16_t reg;     /* reg[reg] takes the exception, reg[reg + 1] the selector */
    uint16_t cleanup; /* goes there even if no clause matches: selector 0 */
};

struct vm_clause {
    const void *type;          /* type info of a handler, NULL: any; or */
    const void *const *filter; /* the types that pass, NULL at the end */
    int64_t selector;          /* negative if a filter */
};

enum {
    VM_BOOT_LEAKS = 1, /* report leaks at exit */
    VM_BOOT_RUN = 2,   /* divm run: output goes out as it is */
    VM_BOOT_MALLOC_FAIL = 4,
    VM_BOOT_SPURIOUS = 8,
    VM_BOOT_CLOCK = 32,    /* a time limit that passes sets the clock */
    VM_BOOT_PROMPT = 128,  /* time passes only while all threads wait */
    VM_BOOT_OUTPUT = 64,   /* what was printed is part of the state */
    VM_BOOT_NO_EAGER = 16, /* every step is a choice: see os_run_eagerly in os/commute.h */
    VM_BOOT_NO_LAST = 512, /* nothing has VM_READY_LAST */
    VM_BOOT_THREAD_LOCALS =
        256, /* the program has thread-local variables: set with the others */
    VM_BOOT_MONITOR =
        1024, /* a monitor takes a step before each transition: set by the kernel */
};

/* The kinds of __divm_trace, which carries a record or a text.  Traces are not part of a state
 * and cost next to nothing while nobody listens. */
enum vm_trace_kind {
    VM_TRACE_RUN,    /* struct vm_trace_run: this thread runs now */
    VM_TRACE_THREAD, /* struct vm_trace_thread: at an error, what each thread does */
    VM_TRACE_HELD,   /* struct vm_trace_held: at an error, a lock and its owner */
    VM_TRACE_ERROR,  /* text; VM_TRACE_ERROR + (fault kind << 8) */
    VM_TRACE_NOTE,   /* text of divm_note */
    VM_TRACE_OUTPUT, /* bytes written to descriptor kind >> 8 */
    VM_TRACE_EXIT,   /* the exit status is kind >> 8 */
    VM_TRACE_OBJECT, /* const void *: the object that the coming error is about */
    VM_TRACE_NAME,   /* text: the name of the thread kind >> 8 */
    VM_TRACE_SIGNAL, /* a handler of the signal kind >> 8 is about to run */
    VM_TRACE_CHOICE, /* the program has been given the number kind >> 8; or text: what was
                        chosen for it */
    VM_TRACE_THROW,  /* struct vm_trace_throw: an exception that somebody catches leaves */
};

struct vm_trace_run {
    struct vm_saved saved; /* with the frame that it goes on in */
    uint64_t tid;
    void *tls;
};

/* The beginning of the object of VM_REG_STATE, which ends with as many pointers to a struct
 * vm_trace_run.  As long as nothing is special, the scheduler only chooses one of these threads
 * and runs it, with VM_FLAG_ALONE if one is live: so it need not be called. */
struct vm_threads {
    int count, live, special;
};

struct vm_trace_thread {
    uint64_t tid;
    struct vm_frame *frame;
    uint64_t action;    /* enum vm_action it waits to do, or 0 */
    const void *object; /* what it waits for */
    uint64_t owner;     /* tid of the thread that holds it, or 0 */
    uint64_t state;     /* 0 ready, 1 waiting, 2 finished */
    uint64_t process;   /* its number, 0 while there is only one */
};

struct vm_trace_throw {
    const void *type;      /* the type info, NULL: of no C++ type */
    void (*handler)(void); /* the code that it goes to in the end: struct vm_landing.pad */
};

struct vm_trace_held {
    uint64_t tid;
    const void *object;
    struct vm_frame *frame;
};

#ifndef VM_HOST
/* Guest code that includes this header may access what is hidden from a program
 * (VM_OBJ_HIDDEN): the loader knows its functions by their section. */
#pragma clang section text = ".divm.kernel"

/* New object of size undefined bytes; never NULL (the guest decides on failure). */
__attribute__((returns_nonnull)) void *__divm_obj_make(size_t size, int kind);
/* Any later use of the object is a fault, and so is this one if the object is of another kind;
 * with VM_OBJ_KERNEL the kernel frees those of any kind. */
void __divm_obj_free(void *obj, uint64_t kind);
/* Returns the size of an object, or of a function's frame; SIZE_MAX if there is none. */
size_t __divm_obj_size(const void *obj);
/* Resizes an object, whose address stays the same; added bytes are undefined. */
void __divm_obj_resize(void *obj, size_t size);
/* Tells that other threads may reach this object and all that it points to; of a kernel object,
 * only what it points to. */
void __divm_obj_shared(const void *obj);
void __divm_trace(int kind, const void *data, size_t len);
/* A visible action is about to be done: the thread stops here, and when it is
 * resumed goes on with VM_FLAG_KERNEL set.  A conditionally visible action (VM_ACT_CONDITIONAL)
 * stops only if the thread has an open footprint: nobody can tell the difference.
 * (--reduction=no-conditional: no action is weak.) */
void __divm_interrupt_mem(const void *addr, size_t size, int action);
/* Returns a choice, 0 .. n-1.  The scheduler passes n threads, and gets the place of one that
 * can run: it has a frame, and waits for nothing, or for a word that has the right value or is
 * gone; -1 if there is none.  Others pass NULL. */
int __divm_choose(int n, struct vm_saved *const *threads);
/* Returns which bits of a word are defined. */
uint64_t __divm_defined(uint64_t word);
uint64_t __divm_control(int reg, int op, uint64_t value);
#endif

/* The size that goes with VM_ACT_OBSERVE: the thread is at some place, or where its function
 * begins. */
enum { VM_OBSERVE_PLACE, VM_OBSERVE_ENTRY };

enum {
    VM_ACT_CONDITIONAL = 0x100,
    VM_ACT_READY = 0x200, /* weak if the thread need not wait: see struct vm_saved */
};

#endif
