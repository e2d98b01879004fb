/* machine.h - the running machine, inside vm/. */
#ifndef VM_MACHINE_H
#define VM_MACHINE_H

#include <assert.h>

#include "program.h"
#include "vm/canon/thread_symmetry.h"
#include "vm/exec/race.h"
#include "vm/heap/heap.h"

enum {
    VM_MAX_LOOPS = 1 << 16,        /* back-edges without a visible action */
    VM_MAX_KERNEL_LOOPS = 1 << 26, /* back-edges more, in the kernel and in atomic sections */
    VM_MAX_BRANCHES = 64,          /* alternatives of a transition's choices, multiplied */
};

/* What an instruction's slow path tells the interpreter. */
enum vm_step {
    VM_STEP_NEXT,   /* go on with the next instruction */
    VM_STEP_RELOAD, /* the running frame or its pc has changed */
    VM_STEP_STOP,   /* the machine has stopped: vm->stop says why */
};

/* What a mark saves besides the heap; also what a state adds to its root. */
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
    uint32_t loops, kernel_loops;
    uint32_t branches; /* less one */
    uint32_t picked; /* which store an atomic access is to read, or come after, and one more; 0:
                        it has not been chosen (pick.h) */
    uint32_t passed; /* loads at which it did not stop, since nobody can write (may_write.h) */
    uint32_t first_new; /* heap indexes from here on are this transition's */
};

/* access_log.c: what the transition touched. */
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

struct vm_state {
    struct vm_root root;
    uint64_t state_reg, scheduler, fault, footprint;
};

struct vm {
    const struct vm_program *program;
    struct vm_options options;
    struct vm_heap heap;
    struct vm_scalars s;
    struct vm_race race;
    struct vm_access_log access_log;
    enum vm_stop stop;
    bool finished;   /* vm_finish was called, and the machine is at that state */
    unsigned ended;  /* flags of the transition that ended */
    bool begins;     /* a second thread began in it */
    unsigned broken; /* what was taken for granted and is not so, 1 << enum vm_assumption, but
                        for PRIVATE and UNEXPOSED, of which the heap knows */
    bool forks;      /* the program may */
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
    bool tracks;               /* what threads can write is asked for (may_write.h) */
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

/* What __divm_trace carries that is looked at though nobody listens. */
static inline bool vm_trace_is_heard(uint64_t kind)
{
    kind &= 255;
    return kind == VM_TRACE_OUTPUT || kind == VM_TRACE_ERROR || kind == VM_TRACE_OBJECT;
}

static inline bool vm_leaves_out(const struct vm *vm, enum vm_cache cache)
{
    return vm->options.left_out & cache;
}

/* Are there threads that can be taken for each other, in a state with these footprints?  What
 * threads know of each other's accesses (order.h) is not compared up to their names. */
static inline bool vm_has_symmetric_threads(const struct vm *vm, uint64_t footprint)
{
    const struct vm_stable_ids *ids = vm->heap.inchash.stable_ids;
    return ids && ids->symmetric && !(vm->race.order && footprint);
}

static inline bool vm_masked(const struct vm *vm)
{
    return vm->s.reg[VM_REG_FLAGS] & (VM_FLAG_KERNEL | VM_FLAG_ALONE);
}

/* The program's own code runs, and nobody else. */
static inline bool vm_in_section(const struct vm *vm)
{
    return vm->s.reg[VM_REG_FLAGS] & VM_FLAG_SECTION &&
           (vm->s.reg[VM_REG_FLAGS] & (VM_FLAG_KERNEL | VM_FLAG_ALONE)) == VM_FLAG_KERNEL;
}

/* What the program does now is compared with what has happened before it (order.h), also
 * where no other thread is left. */
static inline bool vm_knows_orders(const struct vm *vm)
{
    return vm->race.order && !(vm->s.reg[VM_REG_FLAGS] & VM_FLAG_KERNEL);
}

/* Can it race with others? */
static inline bool vm_can_race(const struct vm *vm)
{
    return !vm_masked(vm) || vm_in_section(vm) || vm_knows_orders(vm);
}

static inline bool vm_in_kernel(const struct vm *vm)
{
    return (vm->s.reg[VM_REG_FLAGS] & (VM_FLAG_KERNEL | VM_FLAG_SECTION)) == VM_FLAG_KERNEL;
}

/* May code, of one of the kernel's functions or not, access objects of VM_OBJ_HIDDEN kinds?
 * What the kernel calls may, not the program's code in a section of its own. */
static inline bool vm_may_touch_hidden(const struct vm *vm, bool kernel)
{
    uint64_t flags = vm->s.reg[VM_REG_FLAGS];
    bool called =
        flags & VM_FLAG_KERNEL && (!(flags & VM_FLAG_SECTION) || flags & VM_FLAG_COMMUTES);
    return called || kernel;
}

/* VM_REG_DEFERRED: the running thread must not do anything yet that concerns others. */
static inline bool vm_has_deferred(const struct vm *vm)
{
    return vm->s.reg[VM_REG_DEFERRED] &&
           !(vm->s.reg[VM_REG_FLAGS] & (VM_FLAG_KERNEL | VM_FLAG_DEFERRED));
}
/* What others are told has to be asked first whether it may be (late.c). */
static inline void vm_assert_not_late(const struct vm *vm)
{
    assert(!vm_has_deferred(vm));
}

/* The transition is to end at the next back-edge or call in user mode: its choices are a large
 * tree, or the kernel has gone round VM_MAX_LOOPS times. */
static inline bool vm_has_many_branches(const struct vm_scalars *s)
{
    return s->branches >= VM_MAX_BRANCHES - 1;
}
static inline bool vm_is_overdue(const struct vm_scalars *s)
{
    return vm_has_many_branches(s) || s->kernel_loops;
}

/* Asked wherever much can be done between two back-edges.  It is no part of what the program
 * does: if it is false, nothing has changed. */
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

/* interp.c: vm_run, executing. */
enum vm_stop vm_interpret(struct vm *vm);
/* assumption.c: what is seen does not go with this assumption. */
static inline void vm_break(struct vm *vm, enum vm_assumption assumption)
{
    vm->broken |= 1u << assumption;
}

/* vm.c: what vm_start and vm_choose do to the memory; the latter by the place in the list. */
void vm_call_scheduler(struct vm *vm);
void vm_answer(struct vm *vm, uint32_t value);

/* The running frame's function and instruction, after its pc in memory. */
const struct vm_function *vm_frame_function(const struct vm *vm, uint64_t frame,
                                            const struct vm_insn **insn);

/* call.c: the guest's memory.  The limit that it would be beyond with so many bytes more, or 0;
 * not in the handler of faults. */
size_t vm_limit_met(const struct vm *vm, uint64_t more);

/* call.c: frames, calls, faults */
uint64_t vm_frame_make(struct vm *vm, uint32_t function, uint64_t parent);
enum vm_step vm_call(struct vm *vm, const struct vm_insn *i, uint32_t function,
                     struct vm_obj *caller);
enum vm_step vm_call_indirect(struct vm *vm, const struct vm_insn *i, struct vm_obj *frame);
enum vm_step vm_return(struct vm *vm, const struct vm_insn *i, struct vm_obj *frame);
void vm_drop_stack(struct vm *vm, uint64_t until);
uint64_t vm_user_site(const struct vm *vm);
__attribute__((cold, format(printf, 3, 4))) enum vm_step
vm_fault(struct vm *vm, enum vm_fault_kind kind, const char *format, ...);

/* Others can reach it: shared objects, variables of the libraries, and what is the kernel's. */
static inline bool vm_is_observable(const struct vm_obj *o)
{
    return o->flags & (VM_SHARED | VM_LOGGED) || o->kind & VM_OBJ_HIDDEN;
}

/* late.c: the guest's function of VM_REG_DEFERRED is called, and then the instruction begun
 * again.
 */
enum vm_step vm_call_deferred(struct vm *vm);
/* The running thread comes to an object, or to something else that it has in common with others
 * (NULL): NEXT, or it has to wait for those that it has joined by a deferred join, as above. */
static inline enum vm_step vm_meet_others(struct vm *vm, const struct vm_obj *o)
{
    return vm_has_deferred(vm) && (!o || vm_is_observable(o)) ? vm_call_deferred(vm)
                                                              : VM_STEP_NEXT;
}
/* The transition ends with what a thread has done that is late: if there is one, the assumption
 * is dropped. */
void vm_late_matters(struct vm *vm);

/* refused.c: the running function is declared only. */
__attribute__((cold)) enum vm_step vm_unresolved(struct vm *vm, uint32_t function);

/* local.c: the allocas of a frame.  vm_alloca: one more of the running frame's. */
uint64_t vm_alloca(struct vm *vm, uint64_t size);
enum vm_step vm_make_alloca(struct vm *vm, const struct vm_insn *i, struct vm_obj *frame);
enum vm_step vm_end_alloca(struct vm *vm, const struct vm_insn *i, struct vm_obj *frame);
enum vm_step vm_restore_stack(struct vm *vm, const struct vm_insn *i, struct vm_obj *frame);
/* The allocas from the heap object `first` on, up to the one that is to stay, are about to go;
 * or those of the frames from one on, up to another.  NEXT; or the fault, if what another
 * thread has done with one is not ordered with that; or others have to be waited for
 * (VM_REG_DEFERRED). */
enum vm_step vm_end_some_locals(struct vm *vm, uint32_t first, uint32_t keep);
enum vm_step vm_end_locals(struct vm *vm, uint64_t frame, uint64_t until);
/* The same for the running thread's, and its thread-local variables. */
enum vm_step vm_end_thread(struct vm *vm);

/* arith.c: instructions whose operands are not wholly defined or are pointers.  A value is its
 * bits, those of them that are defined (the others are 0), and its bytes that come from a
 * pointer. */
struct vm_value {
    uint64_t v, m;
    uint8_t p;
};
/* a op b of w bits, without flags: VM_OP_ADD, SUB, MUL, AND, OR or XOR. */
struct vm_value vm_compute(unsigned op, unsigned w, struct vm_value a, struct vm_value b);
enum vm_step vm_slow_arith(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
/* A fused compare and branch: where to go. */
enum vm_step vm_slow_branch(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                            uint32_t *target);
/* R[a] + R[b] * scale + offset, as INDEX says; false if it is undefined. */
bool vm_index_address(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                      uint64_t *p, uint8_t *tags);
enum vm_step vm_slow_intrinsic(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);

/* apint.c, recast.c: integers of more than 64 bits, bit casts */
enum vm_step vm_apint(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum vm_step vm_recast(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);

/* longdouble.c: x86_fp80 and fp128 */
enum vm_step vm_longdouble(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);

/* access.c: memory */
enum vm_step vm_slow_load(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum vm_step vm_slow_store(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum vm_step vm_block(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum vm_step vm_copy_argument(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum { VM_VA_LIST = 24 /* bytes */ };
/* A plain access, the only one of its instruction, which begins again unless this is NEXT.
 * shadow: the pointer's, as that of a register. */
enum vm_step vm_access_plainly(struct vm *vm, uint64_t p, uint16_t shadow, uint64_t size,
                               bool write, struct vm_obj **o);
/* NEXT if size bytes at p may be read (or written); else the fault. */
enum vm_step vm_check(struct vm *vm, uint64_t p, uint8_t pointer, uint64_t size, bool write,
                      struct vm_obj **o);
/* The same, if so many bytes will be looked at. */
enum vm_step vm_check_part(struct vm *vm, uint64_t p, uint8_t pointer, uint64_t size,
                           bool write, uint64_t part, struct vm_obj **o);

/* protect.c: NEXT if size bytes at p, which are inside, may be read (or written); else the
 * fault, or others have to be waited for.  And what VM_REG_PROTECT does, SET and GET. */
enum vm_step vm_ask_pages(struct vm *vm, const struct vm_obj *o, uint64_t p, uint64_t size,
                          bool write);
enum vm_step vm_protect(struct vm *vm, uint64_t request);
uint64_t vm_protection_of(struct vm *vm, uint64_t p, uint16_t shadow);

/* owner.c, for programs that hide pointers.  A new object belongs to the running thread, which
 * ends; an object is accessed, whoever's it is. */
void vm_owner_take(struct vm *vm, uint64_t p);
void vm_owner_end(struct vm *vm);
void vm_owner_ask_slowly(struct vm *vm, const struct vm_obj *o);
static inline void vm_owner_ask(struct vm *vm, const struct vm_obj *o)
{
    if (__builtin_expect(vm->heap.owners, 0))
        vm_owner_ask_slowly(vm, o);
}
/* The address p becomes a number; so do the pointers of which n bytes at p are a part, or those
 * that are copied to another place in their words. */
void vm_expose(struct vm *vm, uint64_t p);
void vm_expose_ends(struct vm *vm, uint64_t p, uint64_t n);
void vm_expose_copied(struct vm *vm, uint64_t to, uint64_t from, uint64_t n);

/* hypercall.c: the search by executions gives up, since accesses don't tell what this commutes
 * with. */
void vm_make_opaque(struct vm *vm);

/* access_log.c */
void vm_access_log_append(struct vm *vm, uint64_t p, uint64_t size, bool write,
                          enum vm_access_kind kind);
/* The running thread goes on since this one has ended. */
void vm_access_log_ended(struct vm *vm, uint64_t thread);
/* An action at which the thread does not stop this time, and what it would wait for. */
void vm_access_log_next(struct vm *vm, struct vm_await await);
struct vm_await vm_wait_of(const struct vm *vm, uint64_t thread); /* no names */
/* Choices have their candidates, and nothing is hashed between transitions. */
static inline bool vm_tells_threads(const struct vm *vm)
{
    return vm->options.names || vm->options.tells_threads;
}
/* hypercall.c: is the word that is waited for as it must be, or gone? */
bool vm_word_is_ready(const struct vm *vm, uint64_t word, uint32_t ready);
static inline uint64_t vm_named(const struct vm *vm, uint64_t p)
{
    return vm_namer_call(&vm->heap.namer, p);
}
/* The kernel's list of threads, whose last n words point to them; NULL if there is none. */
const struct vm_obj *vm_list_threads(const struct vm *vm, size_t *n);
void vm_access_log_mark(const struct vm *vm, struct vm_access_log *mark);
void vm_access_log_rollback(struct vm *vm, const struct vm_access_log *mark);
static inline bool vm_access_log_on(const struct vm *vm)
{
    return vm->s.concurrent && !vm->s.scheduling &&
           !(vm->s.reg[VM_REG_FLAGS] & VM_FLAG_COMMUTES);
}
/* In an execution: no other thread is left for which it could stop.  Its actions are events of
 * their own all the same (VM_ACCESS_NEXT), since in other executions there may be one. */
static inline bool vm_is_sole(const struct vm *vm)
{
    return vm->s.alone && vm->s.concurrent && !vm->s.begun && !vm_has_deferred(vm);
}
/* Of an object that others can reach. */
static inline void vm_log_access(struct vm *vm, const struct vm_obj *o, uint64_t p,
                                 uint64_t size, bool write, enum vm_access_kind kind)
{
    if (!(o->flags & (VM_SHARED | VM_LOGGED)) || !vm_access_log_on(vm))
        return;
    vm_access_log_append(vm, p, size, write, o->flags & VM_LOGGED ? VM_ACCESS_KERNEL : kind);
    if (o->flags & VM_SHARED && vm_in_section(vm))
        vm_access_log_append(vm, p, size, write, VM_ACCESS_CHECK);
}

/* The same of an update of up to 8 bytes that writes only if the value that is there equals the
 * operand, or unless it does. */
void vm_access_log_update(struct vm *vm, const struct vm_obj *o, uint64_t p, uint64_t size,
                          enum vm_access_if writes_if, uint64_t operand);

/* atomic.c */
enum vm_step vm_atomic(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
/* A visible action at p: stops the machine if it is not this thread's turn. */
enum vm_step vm_visible(struct vm *vm, uint64_t p, uint64_t size, int action, bool write);
/* Where the machine does not stop: an access in an atomic section, or where nobody else is left
 * who could come in between. */
enum vm_step vm_race_masked(struct vm *vm, uint64_t p, uint64_t size, bool write);
enum vm_step vm_interrupt(struct vm *vm);
/* What is stored in the object escapes: other threads can come to it.  (The kernel itself
 * shares what it is given.) */
static inline bool vm_lets_escape(const struct vm *vm, const struct vm_obj *o)
{
    return o->flags & VM_SHARED || (o->flags & VM_LOGGED && !vm_in_kernel(vm));
}
/* VM_MAX_LOOPS back-edges are done, or one while the transition is overdue: stop here, so that
 * an endless loop comes back to a state that was seen. */
enum vm_step vm_loop(struct vm *vm);

/* hypercall.c */
enum vm_step vm_hypercall(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
void vm_end_transition(struct vm *vm, unsigned flags);
/* A choice of n alternatives is made within the transition. */
void vm_count_branches(struct vm_scalars *s, uint32_t n);
void vm_find_candidates(struct vm *vm, const struct vm_obj *f, const struct vm_insn *i);
/* Of n at this place: vm->choice. */
void vm_list_candidates(struct vm *vm, uint64_t list, uint32_t n);
/* The scheduler resumes a thread. */
enum vm_step vm_run_thread(struct vm *vm, uint64_t thread);
enum vm_step vm_setjmp(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);

/* failure.c: a fault, or an error that the guest tells of; and the object that this is about.
 */
void vm_note_failure(struct vm *vm, enum vm_fault_kind kind);
void vm_note_failed_object(struct vm *vm, uint64_t p);

/* listen.c */
void vm_emit(struct vm *vm, struct vm_event *event);
void vm_note_made(struct vm *vm, uint64_t p);
void vm_note_freed(struct vm *vm, uint64_t p);
bool vm_was_local(const struct vm *vm, uint64_t p); /* false if nobody listens */
void vm_note_access(struct vm *vm, const struct vm_range *range);
/* Where a thread last accessed a range so (0 if nobody listens), and that is told. */
uint64_t vm_tell_access(struct vm *vm, uint64_t owner, const struct vm_range *range);
/* Where an object was allocated, and freed or ended, is told: of one, and of the one that the
 * last message describes. */
void vm_tell_origin(struct vm *vm, uint64_t p);
void vm_tell_described(struct vm *vm);
/* "f at x.c:12" */
void vm_describe_site(const struct vm *vm, uint64_t site, char *text, size_t size);

/* address_space.c: the memories of processes; see VM_REG_FORK and VM_REG_ADDRESS_SPACE */
enum vm_step vm_fork(struct vm *vm, const struct vm_insn *i, uint64_t list);
bool vm_address_space_enter(struct vm *vm, uint64_t space);
void vm_address_space_drop(struct vm *vm, uint64_t list);
/* Where p points while no process is in: what tells processes' globals apart. */
uint64_t vm_address_space_place(const struct vm *vm, uint64_t p);

/* A load of undefined bytes, for vm_blame; where the last one of a frame's instruction
 * read, or 0. */
void vm_note_undefined(struct vm *vm, const struct vm_insn *i, uint64_t p, uint64_t mask);
uint64_t vm_undefined_read(const struct vm *vm, uint64_t frame, uint32_t insn);

/* blame.c: ", read from ..." if it is known where the undefined value of the running
 * instruction comes from */
void vm_blame(const struct vm *vm, char *text, size_t size);

/* profile.c */
void vm_profile_open(struct vm *vm);
void vm_profile_close(struct vm *vm);
void vm_profile_count(struct vm *vm, const struct vm_insn *i);
void vm_profile_fault(struct vm *vm, enum vm_fault_kind kind);

/* canon.c.  The first half of vm_finish, which makes all that is in a state final: dead
 * registers are cleared, new objects get their ids, and the sum is brought up to date.  (The
 * second half visits what is not stable, which a transition that is only to be cached does not
 * need.)  Does nothing if that was done and nothing has changed. */
void vm_make_final(struct vm *vm);
/* canon.c, graph.c; what store.h calls STORE_GRAPH_ROOT */
#define VM_GRAPH_ROOT ((uint64_t)1 << 31)
/* vm_hash of a memory of which this is known; false if more would have to be.  symmetric
 * threads: NULL if none are to be renamed. */
bool vm_hash_predicted(const struct vm_inchash *s, const struct vm_symmetry *symmetry,
                       uint64_t footprint, uint64_t leak_sum, uint64_t hash[2]);
/* dead.c */
void vm_clear_dead(struct vm *vm);

/* Register access with masks, in frame object f. */
static inline uint64_t vm_get(const struct vm_obj *f, uint32_t r)
{
    return f->data[r];
}
static inline uint16_t vm_shadow(const struct vm_obj *f, uint32_t r)
{
    return vm_obj_shadow((struct vm_obj *)f)[r];
}
static inline uint64_t vm_mask(const struct vm_obj *f, uint32_t r)
{
    return (vm_shadow(f, r) & 0xff) == 0xff ? ~0ull : vm_obj_mask(f, r * 8, 8);
}
static inline void vm_set(struct vm_obj *f, uint32_t r, uint64_t value, uint16_t shadow)
{
    f->data[r] = value;
    vm_obj_shadow(f)[r] = shadow;
}
static inline struct vm_value vm_value_in(const struct vm_obj *f, uint32_t r)
{
    return (struct vm_value){vm_get(f, r), vm_mask(f, r), (uint8_t)(vm_shadow(f, r) >> 8)};
}
static inline uint64_t vm_low(unsigned w) /* w low bits set, 1 <= w <= 64 */
{
    return ~0ull >> (64 - w);
}

#endif
