/* machine.h - the running machine, inside vm/: its fields, and what all rooms ask of it.
 *
 * What the rooms do with it is declared in their own headers: exec/ (call.h, access.h,
 * atomic.h, transition.h, ...), fingerprint/ (final.h), tcache/. */
#ifndef VM_MACHINE_H
#define VM_MACHINE_H

#include <assert.h>

#include "program.h"
#include "vm/exec/race.h"
#include "vm/fingerprint/thread_symmetry.h"
#include "vm/heap/heap.h"

/* The result of an instruction's slow path, for the interpreter. */
enum vm_step {
    VM_STEP_NEXT,   /* go on with the next instruction */
    VM_STEP_RELOAD, /* the running frame or its pc has changed */
    VM_STEP_STOP,   /* the machine has stopped: vm->stop says why */
};

/* The values that a mark saves beside the heap, and that a state adds to its root. */
struct vm_scalars {
    uint64_t reg[VM_REG_COUNT];
    uint64_t frame;     /* the running frame, 0 if none */
    uint64_t footprint; /* the object of open footprints, 0 if none */
    uint64_t thread;    /* VM_REG_SAVE of the thread that was resumed, 0 if none yet */
    bool first;         /* the visible action the thread stopped at is not done yet */
    bool in_fault;
    bool scheduling;         /* no thread has been resumed in this transition yet */
    bool concurrent;         /* there has been a second thread (if accesses are logged) */
    size_t opaque_from;      /* entries of the log before */
    enum vm_opacity opacity; /* VM_FLAG_OPAQUE was set in this transition */
    bool alone;              /* the thread that was resumed was the only one */
    bool begun;              /* a stack was begun in this transition */
    bool at_once;            /* it begins with the choice of a thread, without the scheduler */
    bool buffered; /* the running thread has a store buffer that is not empty (buffer.h) */
    bool draining; /* it begins with the choice whether a store reaches memory, or which */
    bool drained;  /* that was all */
    bool fails;    /* a compare-exchange has failed spuriously in this transition */
    uint32_t loops, kernel_loops;
    uint32_t branches; /* less one */
    uint32_t picked; /* which store an atomic access is to read, or come after, and one more; 0:
                        it has not been chosen (pick.h) */
    uint32_t passed; /* loads at which it did not stop, since nobody can write (may_write.h) */
    uint32_t first_new; /* heap indexes from here on are this transition's */
};

/* The accesses of a transition (access_log.c). */
struct vm_access_log {
    struct vm_access *at;
    size_t n, capacity;
};

struct vm_mark {
    struct vm_heap_mark heap;
    struct vm_scalars s;
    struct vm_race_mark race;
    struct vm_access_log access_log; /* as long as it was */
    uint64_t nchoices;
};

/* The part of a state beside the heap. */
struct vm_registers {
    uint64_t state, scheduler, fault, footprint;
};

struct vm_state {
    struct vm_root root;
    struct vm_registers registers;
};

struct vm {
    const struct vm_program *program;
    struct vm_program *noted; /* options.notes: the program with the functions of its notes,
                                 which `program` is then; owned.  Else NULL */
    struct vm_options options;
    struct vm_heap heap;
    struct vm_scalars s;
    struct vm_registers
        restored; /* of the state that was restored last; heap.origin is the rest */
    struct vm_race race;
    struct vm_access_log access_log;
    enum vm_stop stop;
    bool finished;   /* vm_finish was called, and the machine is at that state */
    unsigned ended;  /* flags of the transition that ended */
    bool begins;     /* a second thread began in it */
    unsigned broken; /* the assumptions that have failed, 1 << enum vm_assumption, but for
                      * PRIVATE and UNEXPOSED, of which the heap knows */
    bool forks;      /* the program may */
    bool buffers;    /* threads have store buffers */
    uint64_t new_symmetric; /* VM_REG_SYMMETRIC of the transition that ended */
    struct vm_symmetry symmetry;
    struct vm_symmetry_terms symmetry_terms;
    struct vm_choice choice;
    uint64_t nchoices;                  /* there have been so many */
    const struct vm_value *last_stored; /* by whom an atomic access that is being executed does
                                           not read, or come last; else NULL */
    uint64_t *candidates;
    uint32_t *places;          /* of the candidates in the list that the guest passed */
    struct vm_candidate *told; /* what the checker is told of them */
    size_t candidates_capacity;
    bool one_is_live;          /* chosen from without the scheduler: no other thread is left */
    bool tracks;               /* the may-write analysis is used (may_write.h) */
    uint64_t *listed, nlisted; /* all threads in the list that the guest passed; 0: none was */
    uint64_t listed_capacity, chosen;
    struct vm_mark *marks;
    size_t nmarks, marks_capacity;
    struct vm_state *initial;
    struct vm_stats stats;
    /* canonical form */
    size_t number_capacity[2];
    uint64_t *number_of[2];
    uint64_t *queue;
    size_t queue_capacity;
    uint64_t *vector;
    size_t vector_capacity;
    uint64_t *order;
    size_t order_capacity;
    uint32_t epoch;
    struct vm_tcache *tcache; /* or NULL */
    struct vm_forms *forms;   /* with transition cache */
#ifdef DIVM_DEBUG
    bool expects; /* the transition that is executed was predicted, to end so */
    uint64_t expected[2];
#endif
    struct vm_profile *profile; /* or NULL */
    struct vm_failure failure;  /* of the last transition that ended with an error */
    uint64_t failure_site; /* where the object was made that the coming one is about, or 0 */
    /* listening */
    vm_listener *listener;
    void *listener_context;
    struct vm_history *history;
};

static inline bool vm_leaves_out(const struct vm *vm, enum vm_cache cache)
{
    return vm->options.left_out & cache;
}

/* Notes that the program does not keep to an assumption (assumption.def). */
static inline void vm_break(struct vm *vm, enum vm_assumption assumption)
{
    vm->broken |= 1u << assumption;
}

/* Has the user asked the machine to stop?  Asked wherever much can be done between two
 * back-edges, before anything is changed. */
static inline bool vm_is_halted(const struct vm *vm)
{
    return vm->options.halt &&
           __builtin_expect(atomic_load_explicit(vm->options.halt, memory_order_relaxed), 0);
}
static inline enum vm_step vm_halt(struct vm *vm)
{
    vm->stop = VM_STOP_HALTED;
    return VM_STEP_STOP;
}

/* vm.c: the parts of vm_start and vm_choose that change the memory.  vm_answer is given a place
 * in the list of candidates. */
void vm_call_scheduler(struct vm *vm);
void vm_answer(struct vm *vm, uint32_t value);
/* Has the guest tell what all threads do, as at an error; none of them runs. */
void vm_tell_threads(struct vm *vm, enum vm_fault_kind kind);

#endif
