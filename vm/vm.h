/* vm.h - the machine: loads bitcode, runs it transition by transition over a
 * graph of objects, and takes persistent snapshots of its states.
 *
 * A struct vm_program is immutable while machines are open and shared by all of them;
 * it must outlive them.  A struct vm (with its heap) belongs to one thread at a
 * time.  A struct vm_state is an immutable value with one owner, who restores it once, in any
 * machine of the same program and any thread, or releases it; the latter in the thread of the
 * machine that made it, or while no other thread has a machine.
 * The machine knows nothing of threads, searches or stores.  It is
 * deterministic: the same program, options and choices give the same states. */
#ifndef VM_VM_H
#define VM_VM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define VM_HOST
#include "hypercall.h"
#include "lookup.h"
#include "touched.h"

struct vm_program;
struct vm_options;
struct vm_type;
struct vm;
struct vm_state;

/* ---- memory of the host ---------------------------------------------------------- */

/* The functions that a thread calls when it needs memory: has_room says whether so many bytes
 * more may be taken; exhausted is called where they may not, or cannot, and does not return.
 * The machine is then neither whole nor to be freed.  Without a relief the process ends, with
 * one line and the status of an incomplete search. */
struct vm_relief {
    void (*exhausted)(void *context);
    bool (*has_room)(void *context, size_t bytes);
    void *context;
};
/* Sets the relief of the calling thread; NULL: none. */
void vm_relieve(const struct vm_relief *relief);
struct vm_relief vm_relief(void);
bool vm_has_room(size_t bytes);
/* Has the calling thread been told that there is no room, since it asked this last? */
bool vm_was_refused(void);
_Noreturn void vm_exhausted(void);

/* ---- loading --------------------------------------------------------------------- */

/* The arguments and environment that the program is started with. */
struct vm_start {
    const char *const *argv; /* arguments, argv[0] included */
    int argc;
    const char *const *env; /* NAME=VALUE, beside what there always is */
    int nenv;
    uint32_t options; /* VM_BOOT_* */
};

/* A store for results of linking, or for whole programs, by a hash of everything that they
 * depend on except this divm itself.  The data that `get` returns is malloc'ed, NULL if there
 * is none; the caller of the loader makes sure that it is whole. */
struct vm_kept {
    void *context;
    char *(*get)(void *context, const uint64_t key[2], size_t *size);
    void (*put)(void *context, const uint64_t key[2], const char *data, size_t size);
};
/* Hashes the contents of a file, as the keys of vm_kept do; false if it cannot be read. */
bool vm_hash_file(const char *file, uint64_t hash[2]);

/* Code is told to mark where local variables begin and end (clang's
 * -fsanitize-address-use-after-scope), and to say so: the value of -dwarf-debug-flags. */
#define VM_SCOPES "divm-scopes"

/* Where a thread stops beside its visible actions, so that queries (struct vm_queries) see what
 * is there in between.  Names are those of the source. */
struct vm_names_list {
    const char *const *at;
    size_t n;
};
struct vm_watch {
    struct vm_names_list functions; /* where they begin and end; their local variables stay in
                                       memory, and known */
    struct vm_names_list places;    /* "file.c:12": where a thread comes there, and leaves */
    struct vm_names_list variables; /* global ones that are read, by the last part of a name */
    struct vm_names_list arrays;    /* of those, the ones that are indexed: if one turns out to
                                       be no array it is as if pointers were set */
    const char *monitor;            /* a function that looks at each state, or NULL */
    bool frames;                    /* it matters which functions a thread is in */
    bool pointers; /* what is read is found by pointers: it may be any object */
};

struct vm_load {
    const char *const *files; /* bitcode or LLVM assembly of the user, linked */
    size_t nfiles;
    const char *const *archives; /* ar archives of bitcode, searched in order */
    size_t narchives;
    size_t nown; /* so many of them, the first, are the user's: what is taken of these is as if
                    it were in files */
    const struct vm_kept *kept;     /* what was linked of the archives, or NULL */
    const struct vm_kept *programs; /* loaded programs, or NULL */
    const char *entry;              /* function to verify, "main" */
    struct vm_start start;
    const struct vm_file *inputs; /* vm/hypercall.h: what there is of the host's files */
    size_t ninputs;
    bool check_overflow;          /* signed overflow of user code is a fault */
    bool as_written;              /* the user's code is not optimised: see docs/SEMANTICS.md */
    bool check_alignment;         /* so is a misaligned access of user code */
    bool profile;                 /* count what is executed: vm_write_profile */
    bool coverage;                /* mark what is executed: vm_cover_mark; not with profile */
    bool notes;                   /* machines with vm_options.notes may be opened */
    const struct vm_watch *watch; /* or NULL */
};

/* Loads a program; returns NULL with *error (malloc'ed, one line, names the culprit).
 * Single-threaded. */
struct vm_program *vm_load(const struct vm_load *load, char **error);
/* Returns the program if it was kept, without parsing any file; else NULL. */
struct vm_program *vm_load_kept(const struct vm_load *load);
void vm_unload(struct vm_program *program);
/* Changes how the program starts, as if it had been loaded so.  No machine may be open. */
void vm_set_start(struct vm_program *program, const struct vm_start *start);
/* Returns a hash that identifies program and loader options, for traces. */
uint64_t vm_program_hash(const struct vm_program *program);
/* Is some of the user's code not optimised? */
bool vm_program_as_written(const struct vm_program *program);
/* Atomic accesses of the program's own code that are weaker than seq_cst. */
struct vm_weak {
    const char *where; /* the first in the source: "file:line" */
    const char *order; /* "relaxed"; NULL: it is given when the program runs */
    unsigned places;   /* how many lines have one */
};
/* Returns the program's, or NULL if there are none. */
const struct vm_weak *vm_program_weak(const struct vm_program *program);
/* The memory model: which stores a load may read (docs/MEMORY_MODELS.md). */
enum vm_model { VM_MODEL_SC, VM_MODEL_C11, VM_MODEL_TSO };
enum vm_model vm_model(const struct vm_program *program, const struct vm_options *options);
/* Returns a function that is defined in C without a prototype and may be given more arguments
 * than it takes ("file:line: name"), or NULL. */
const char *vm_program_unprototyped(const struct vm_program *program);
/* Returns the addresses of the global variables that the monitor (vm_watch) reads, malloc'ed;
 * *follows: it reads by pointers, too, and so perhaps any object. */
uint64_t *vm_monitor_reads(const struct vm_program *program, size_t *n, bool *follows);
/* Does the user's code have weak compare-exchanges? */
bool vm_program_has_weak_exchanges(const struct vm_program *program);
/* Does the user's code have atomic objects that no instruction accesses?  Loads of these read
 * the last store under every model. */
bool vm_program_has_large_atomics(const struct vm_program *program);

/* ---- memory orders (orders.c) ---------------------------------------------------- */

/* Memory orders by C's numbers. */
enum vm_memory_order {
    VM_MEMORY_RELAXED,
    VM_MEMORY_CONSUME,
    VM_MEMORY_ACQUIRE,
    VM_MEMORY_RELEASE,
    VM_MEMORY_ACQ_REL,
    VM_MEMORY_SEQ_CST,
};
/* The operations that have a memory order; a compare-exchange has one more for its failure. */
enum vm_ordered_kind {
    VM_ORDERED_LOAD,
    VM_ORDERED_STORE,
    VM_ORDERED_RMW,
    VM_ORDERED_EXCHANGE,
    VM_ORDERED_FAILURE,
    VM_ORDERED_FENCE,
};
/* An order in the program's own code, as one place of the source gives it. */
struct vm_ordered {
    const char *file; /* the program's */
    unsigned line, column;
    enum vm_ordered_kind kind;
    enum vm_memory_order order;
    bool varies; /* it is given at run time, or differs between instances of a template */
};
struct vm_orders;
/* Lists all orders; to be closed before the program is unloaded. */
struct vm_orders *vm_orders_open(struct vm_program *program);
const struct vm_ordered *vm_orders_list(const struct vm_orders *orders, size_t *n);
/* Sets an order of the program, or sets all back to its own.  No machine may be open. */
void vm_orders_set(struct vm_orders *orders, size_t k, enum vm_memory_order order);
/* Puts a seq_cst fence right before the access from now on, or takes it away. */
void vm_orders_fence(struct vm_orders *orders, size_t k, bool on);
void vm_orders_reset(struct vm_orders *orders);
void vm_orders_close(struct vm_orders *orders);

/* ---- machines -------------------------------------------------------------------- */

/* Numbers for contents of objects: equal contents get the same number, others another; below
 * 2^29, 0 if no number is left. */
struct vm_contents {
    void *context;
    uint32_t (*number)(void *context, const void *bytes, size_t n);
};

/* The caches: they save work and change neither verdicts nor counts.  (With
 * VM_CACHE_PRECONCURRENT left out, some states that are told apart may be one.) */
enum vm_cache {
    VM_CACHE_TRANSITIONS = 1 << 0, /* cached transitions are not executed again (tcache.h) */
    VM_CACHE_PREDICT = 1 << 1,     /* vm_predict_begin tells of none */
    VM_CACHE_VISITED = 1 << 2,     /* what is visited after a cached transition is remembered */
    VM_CACHE_ORDERS = 1 << 3,  /* so is the form by the canonical order of symmetric threads */
    VM_CACHE_INCHASH = 1 << 4, /* the sum changes by what is in the log (inchash.h) */
    VM_CACHE_PRECONCURRENT = 1 << 5, /* pre-concurrent objects are stable (preconcurrent.h) */
    VM_CACHE_PAGES = 1 << 6,         /* large globals have pages (pages.h) */
    VM_CACHE_REBASE = 1 << 7, /* a state can become the base snapshot of later ones (tree.c) */
    VM_CACHE_WORDS =
        1 << 8, /* cached transitions depend on words of large objects (readset.h) */
};

/* Questions that are put to each state in which a transition ends.  A write of what they read
 * is a visible action, so that no value of it comes and goes within a transition.  All of it is
 * immutable and belongs to who opens the machine; the functions are called by any thread. */
struct vm_queries {
    void *context;
    /* The first that holds, from 1 on; 0 if none does.  error: of the state, or NONE.  They may
     * look at the machine as a listener may, but nothing has a name that was not made known
     * by the program. */
    unsigned (*holding)(void *context, const struct vm *vm, enum vm_fault_kind error);
    /* A machine with a listener tells of it by this kind of fault and this text. */
    enum vm_fault_kind (*tell)(void *context, const struct vm *vm, unsigned query, char *text,
                               size_t size);
    const uint64_t *globals; /* addresses of variables whose writes are visible */
    size_t nglobals;
    const struct vm_variable *const *locals; /* likewise */
    size_t nlocals;
    bool everything;  /* so are all writes of the program's objects, and their ends */
    bool asks_errors; /* they depend on `error` */
};

struct vm_options {
    const struct vm_queries *queries; /* or NULL */
    bool coalesce;                    /* false: every access to memory is an interrupt point */
    bool private_objects;             /* false: every object counts as shared */
    bool hides_pointers; /* an object counts as shared when its address became a number */
    bool all_exposed;    /* where hides_pointers would be set, all objects are shared instead */
    bool race_free;      /* false: plain accesses to shared objects are visible */
    bool read_only;      /* false: loads of what no other thread can write are visible */
    bool report_races;   /* false: --races=allow; implies race_free off */
    bool tells_found;    /* vm_accesses says what was read */
    bool tells_places;   /* struct vm_choice has the place of an atomic access */
    bool weak_memory;    /* atomic loads may read older stores, as their orders let them */
    bool spurious_failures; /* a weak compare-exchange may fail though it finds what it wants */
    bool spurious_anyway;   /* also where ids of objects matter (a loop then may have no end) */
    bool store_buffers;     /* or stores wait in buffers, as on x86; no names */
    bool lazy_drains;       /* false: they can reach memory at any time */
    bool addresses_matter;  /* the program looks at them: no fork (VM_ASSUMES_ADDRESSES) */
    bool heap_symmetry;     /* false: states with other object ids are other states */
    bool next_id_matters;   /* then, too, if the next object will get another id */
    bool mixed_accesses;  /* atomic accesses race with plain ones that come later, unordered */
    bool atomic_uses;     /* and with the end of the object, if that comes later, unordered */
    bool conditional;     /* false: VM_ACT_CONDITIONAL and VM_ACT_READY are ignored */
    bool deferred_joins;  /* false: VM_REG_DEFERRED stays 0; not without conditional */
    bool thread_symmetry; /* false: states are told apart by which thread is where */
    bool keep_dead_registers; /* reduction "dead" switched off */
    bool without_forks;       /* a program that could fork is taken not to, until it does
                                 (VM_ASSUMES_FORKS): so all is on that does not go with forks */
    bool notes; /* local variables in registers are remembered for vm_view_registers, while
                   somebody listens; does the same otherwise.  Needs vm_load.notes */
    struct vm_names *names; /* not NULL: vm_accesses says what each transition touched,
                               and a thread stops at its actions also when it is alone
                               again: where does not depend on whether others ended */
    /* Choices tell their threads also without names.  Hashes are those of the first transition
     * that is finished; after that the machine goes back to a mark. */
    bool tells_threads;
    /* The monitor (vm_watch) takes a step before each transition; no state is final. */
    bool monitors;
    /* Not NULL: vm_graph is used instead of vm_hash */
    const struct vm_contents *contents;
    size_t max_object_bytes; /* limit on the guest's live memory, 0 = 1 GiB */
    size_t max_host_bytes;   /* on what the host needs for it, 0 = none */
    size_t tcache_bytes; /* to keep what transitions did, so that it need not be executed again;
                          such a machine cannot be listened to (tcache.h) */
    /* Not NULL, and vm_cover_marks(program) long: a machine sets to 1 what it executes. */
    _Atomic unsigned char *covered;
    unsigned left_out; /* a mask of enum vm_cache: those that are not used */
    /* Not NULL: as soon as it is not 0, vm_run returns VM_STOP_HALTED; others may set it */
    const _Atomic int *halt;
};

struct vm *vm_open(const struct vm_program *program, const struct vm_options *options);
void vm_close(struct vm *vm);
/* The machine gives back what it still has of states that others have made.  To be called
 * before any of them is closed, if their threads go on. */
void vm_give_back(struct vm *vm);
/* The calling thread will use no machine and no state any more: its spare memory is freed. */
void vm_thread_ends(void);

enum vm_stop {
    VM_STOP_CHOOSE, /* vm_choose must be called before vm_run */
    VM_STOP_END,    /* the transition is over: see vm_flags */
    VM_STOP_HALTED, /* within a transition: options.halt is set, or the guest would have more
                       memory than there is room for.  The machine can go back to a mark,
                       restore a state, boot or be closed, and nothing else. */
};

/* Begin the first transition (__boot) from an empty heap, or the next one (the
 * scheduler) from the present state. */
void vm_boot(struct vm *vm);
void vm_start(struct vm *vm);
/* Instead of the next transition: what the checker says is wrong with the state, which threads
 * are in no transition of.  It is told as any other error is; vm_run follows. */
void vm_start_error(struct vm *vm, enum vm_fault_kind kind, const char *message);
/* Run until a choice or the end of the transition. */
enum vm_stop vm_run(struct vm *vm);

/* The wait of a thread where it stopped; word is 0 if it can go on. */
struct vm_await {
    uint64_t word;
    uint32_t ready; /* see struct vm_saved */
};
/* A thread that can be chosen; it is filled in with options.names or tells_threads. */
struct vm_candidate {
    uint64_t thread; /* as vm_thread */
    struct vm_await await;
    uint32_t number; /* its tid: 1 or more; one that has ended leaves it to another */
};

struct vm_choice {
    int n;                                 /* alternatives 0 .. n-1 */
    bool scheduling;                       /* it is the scheduler that asks */
    const struct vm_candidate *candidates; /* n threads if the scheduler asks, or NULL; valid
                                              until the machine runs on */
    /* Not 0: an atomic access to this place, with options.names and
       options.tells_places, chooses which store it reads
       or comes after, the last one first; and that one was also executed last. */
    uint64_t place;
    uint32_t size;
    int of_last; /* then: so many first alternatives are about the last store */
};
struct vm_choice vm_pending(const struct vm *vm);
/* The thread of an alternative of the scheduler's, where the machine has just come to it: for
 * vm_coming, whatever the options are. */
uint64_t vm_pending_thread(const struct vm *vm, int alternative);
void vm_choose(struct vm *vm, int value);
/* The visible action that a thread stands before, without names; size 0: it is not known what
 * it is about. */
struct vm_coming {
    uint64_t addr;
    uint32_t size;
    bool write;
    enum vm_action action; /* NONE: it is not known */
    uint64_t frame;        /* the innermost one */
};
struct vm_coming vm_coming(const struct vm *vm, uint64_t thread);
/* The successor of a transition in which a thread is chosen, if the transition is known
 * (tcache.h): its vm_hash and vm_flags.  When vm_run has come to the choice, vm_predict_begin
 * looks at its values together and returns how many of the first ones vm_predict can be asked
 * for, in turn.  A predicted transition may be left out, which counts as if it had been
 * executed. */
struct vm_prediction {
    bool known;
    unsigned flags;
    uint64_t hash[2], instructions;
};
unsigned vm_predict_begin(struct vm *vm, unsigned n);
void vm_predict(struct vm *vm, unsigned k, struct vm_prediction *prediction);
void vm_skip(struct vm *vm, const struct vm_prediction *prediction);

/* ---- what a transition touched (options.names) ----------------------------------- */

/* Names of objects that are the same in all executions that differ only in the order
 * of independent transitions (names.h), for machines of one thread.  All that is said
 * in this part of an address is said of the named one. */
struct vm_names *vm_names_open(void);
void vm_names_close(struct vm_names *names);
/* The names as bytes, which are malloc'ed; into names that have just been opened. */
struct vm_bytes;
void vm_names_write(const struct vm_names *names, struct vm_bytes *out);
void vm_names_read(struct vm_names *names, const unsigned char *bytes, size_t n);

/* The accesses of the present transition to what other threads can reach, since
 * its thread was resumed, in order.  VM_ACCESS_NEXT stands where it did not stop only
 * because what it would wait for had happened, or because no other thread was left: addr and
 * size are what a struct vm_await would say.  Nothing is listed before a second thread is
 * made.  The existence of an object counts as a byte at offset VM_EXISTENCE, and which threads
 * are queued at an address as one VM_QUEUE behind it: both less than 2 GiB away, which is as
 * far as an address is the object's. */
#define VM_EXISTENCE 0x7fffffffu
#define VM_QUEUE 0x40000000u
const struct vm_access *vm_accesses(const struct vm *vm, size_t *n);
/* The thread (struct vm_saved) that the transition has resumed, 0 if none yet. */
uint64_t vm_thread(const struct vm *vm);
/* Between transitions: a hash of all that belongs to that thread alone, its stack, thread-local
 * variables and private objects.  What it does next follows from that and from what it reads of
 * the rest.  False if it is not known: if that is large, or undefined bit by bit.  And where it
 * has stopped; 0 if it has ended. */
bool vm_own_state(struct vm *vm, uint64_t state[2]);
bool vm_own_state_of(struct vm *vm, uint64_t thread, uint64_t state[2]); /* of another one */
uint64_t vm_own_place(const struct vm *vm);
/* Returns what a plain write has left, between transitions, as `found`. */
uint64_t vm_written(const struct vm *vm, const struct vm_access *access);
/* How many of the program's allocations there are, and objects with names. */
size_t vm_allocations(const struct vm *vm), vm_published(const struct vm *vm);
/* The present wait of the thread that has run. */
struct vm_await vm_awaited(const struct vm *vm);
/* The present wait of any thread, which need not exist; waits: it cannot go on. */
struct vm_await vm_awaited_by(const struct vm *vm, uint64_t thread, bool *waits);
/* The list does not tell what commutes with the transition; or it would not, were other threads
 * left: *from is where the list had come to when that was so first. */
enum vm_opacity { VM_TRANSPARENT, VM_OPAQUE_ALONE, VM_OPAQUE };
enum vm_opacity vm_opacity(const struct vm *vm, size_t *from);

/* VM_FLAG_ERROR, _CANCEL, _END, _CLOCK of the transition that just ended. */
unsigned vm_flags(const struct vm *vm);
/* The assumptions of a search: assumption.def. */
enum vm_assumption {
#define VM_ASSUMES(id, executions) VM_ASSUMES_##id,
#include "assumption.def"
    VM_ASSUMPTIONS
};
/* The assumptions that do not hold for the program, as bits 1 << VM_ASSUMES_...: nothing that
 * was found counts, and the search is to be repeated without them.  Asked after each
 * transition, even one that ended with an error, which may not be one. */
unsigned vm_broken(const struct vm *vm);
/* Returns which bytes the program's threads have accessed, and how, as far as it was explored:
 * *n bytes, in which a search that goes on from a checkpoint sets the bits that they had. */
_Atomic(uint8_t) *vm_accessed(const struct vm_program *program, size_t *n);
/* The options of a search that does without the first of these; which are gone then. */
unsigned vm_drop_assumption(struct vm_options *options, unsigned broken);
/* Why a search by executions cannot answer where these do not hold; NULL if it can. */
const char *vm_unfit_for_executions(unsigned broken);

/* The error of the last transition that ended with VM_FLAG_ERROR: its kind, and a number for
 * its place, which is the same in every run.  The place is the line in the program; of a
 * deadlock, the lines of all threads that wait for ever; of a leak, the line that allocated.
 * 0: nowhere in the program.  The other side of a race is ignored.  Not known with
 * tcache_bytes. */
struct vm_failure {
    enum vm_fault_kind kind;
    uint64_t place;
};
struct vm_failure vm_failure(const struct vm *vm);

/* ---- states ---------------------------------------------------------------------- */

/* A mark inside a transition: rollback returns the machine to it, as often as
 * wanted; marks nest and are popped in reverse order by vm_pop. */
void vm_mark(struct vm *vm);
/* Returns how many bytes the last mark has copied of what is known of memory orders. */
size_t vm_marked_orders(const struct vm *vm);
void vm_rollback(struct vm *vm);
void vm_pop(struct vm *vm); /* rollback, and drop the mark */
/* Drop so many marks; the machine stays where it is. */
void vm_drop(struct vm *vm, size_t n);

/* The transition that has ended becomes a state.  To be called once at the end of each
 * transition on the way to what is hashed or kept, and before that: objects get their stable
 * ids here.  What comes next changes nothing in the machine. */
void vm_finish(struct vm *vm);
/* The canonical fingerprint (128 bits) of the present state, which is finished. */
void vm_hash(const struct vm *vm, uint64_t hash[2]);
/* The canonical form itself, equal for equal states (by the numbers of contents) and for no
 * others: a graph in the order of a breadth-first walk, as the list of nodes that store.h
 * describes.  Valid until the machine is used
 * again.  Restored states must be of machines with the same options.contents. */
const uint64_t *vm_graph(struct vm *vm, size_t *n);
/* Returns the present state; the caller owns it.  After it, the machine is at that state. */
struct vm_state *vm_snapshot(struct vm *vm);
/* The machine is at that state, which is the caller's no more, as if it were released. */
void vm_restore(struct vm *vm, struct vm_state *state);
/* Returns the state that was restored last, wherever the machine is now; the caller owns it. */
struct vm_state *vm_restored(const struct vm *vm);
/* The state will be restored soon: called for each, in this order, with some time after it. */
enum vm_prefetched { VM_PREFETCH_STATE, VM_PREFETCH_CHANGES, VM_PREFETCH_OBJECTS };
void vm_prefetch(const struct vm_state *state, enum vm_prefetched what);
void vm_release(struct vm_state *state);

/* States as bytes, behind those that there are; what they share is written once.  Only this
 * process can read them.  Reading makes n states, as many as were written, and returns how many
 * bytes they were. */
struct vm_bytes {
    unsigned char *at; /* malloc'ed */
    size_t n, max;
};
void vm_states_write(struct vm_state *const *states, size_t n, struct vm_bytes *out);
size_t vm_states_read(const unsigned char *bytes, struct vm_state **states, size_t n);

/* More than one thread has begun. */
bool vm_is_concurrent(const struct vm *vm);
/* Counts the objects that states do not know by an id, one after the other. */
size_t vm_objects(const struct vm *vm);

struct vm_stats {
    uint64_t instructions, objects_made, objects_copied, bytes_copied, bytes_hashed,
        objects_visited, restores, snapshots, repeated, tcache_bytes;
};
/* The instructions that it tells of go on counting. */
const struct vm_stats *vm_stats(const struct vm *vm);
/* Writes how often what was executed, if the program was loaded with a profile.  Lines of
 * fields with tabs between: "site" function name place count (LLVM's instructions and
 * intrinsics in the user's code), "insn" name count (the machine's, anywhere), "fault" kind
 * insn function name. */
void vm_write_profile(const struct vm *vm, FILE *out);

/* ---- coverage (a program loaded with it) ----------------------------------------- */

enum vm_cover_kind { VM_COVER_FUNCTION, VM_COVER_LINE, VM_COVER_BRANCH };
/* A mark in the program's own code: a function was entered, a line begun, or a branch went this
 * way: to the first of two if the condition holds; the last way of a switch is that of no
 * case. */
struct vm_cover_mark {
    enum vm_cover_kind kind;
    const char *file, *function; /* the program's */
    unsigned line, column,
        ways; /* ways: of a branch's first mark, how many there are; else 0 */
};
/* How many there are, and one of them.  Several may have the same line. */
size_t vm_cover_marks(const struct vm_program *program);
struct vm_cover_mark vm_cover_mark(const struct vm_program *program, size_t k);

/* ---- what happened, for replay and reports --------------------------------------- */

struct vm_place {
    const char *function; /* source name, demangled by the caller if wanted */
    const char *file;     /* "" if unknown */
    unsigned line, column;
    bool library; /* not the user's code */
};

enum vm_event_kind {
    VM_EVENT_ACTION, /* a visible action is done: action, addr, size, value(s), frame */
    VM_EVENT_TRACE,  /* __divm_trace: trace kind, data, len */
    VM_EVENT_FAULT,  /* the machine found a fault: fault, message, frame */
    VM_EVENT_OTHER,  /* before that, or what it is about was told: what led to it, "read",
                        "write", "free", "end" or "allocation": message, tid, places, order */
    VM_EVENT_ACCESS, /* a plain access of a shared object is done, which is no visible action:
                        action (READ or WRITE), addr, size, value (of up to 8 bytes), frame */
};

struct vm_event {
    enum vm_event_kind kind;
    uint64_t frame; /* running frame; vm_stack gives its places */
    enum vm_action action;
    uint64_t addr;
    uint32_t size;
    bool has_read, has_written; /* values of atomic accesses, zero-extended */
    uint64_t read, written;
    uint64_t read_high, written_high; /* of 16 bytes: the other eight */
    bool is_old; /* it has read an older store, or its own is not the last one, which is: */
    uint64_t last, last_high;
    uint64_t waits_in; /* and waits in the buffer of the thread with this record; else 0 */
    bool is_relaxed;   /* an atomic access that orders nothing */
    bool is_spurious;  /* a compare-exchange has failed though it has found what it expected */
    bool is_queried;   /* a query reads what an action is about */
    bool of_monitor;   /* the monitor runs, and no thread */
    bool is_pointer;   /* the value is an address: use vm_describe */
    int trace;         /* the kind word of __divm_trace */
    const void *data;  /* valid during the call only */
    size_t len;
    enum vm_fault_kind fault;
    const char *message; /* valid during the call only, as is what follows */
    uint64_t tid;
    const struct vm_place *places; /* innermost first */
    size_t nplaces;
    uint64_t order; /* of a query: its number, from 1 on; else: so many events had been told
                       when it was; addr and size: what it is about, size 0: a whole object */
};

typedef void vm_listener(void *context, const struct vm_event *event);
/* Sets the listener, NULL for none (the search's case).  While there is one the machine also
 * records where objects were made and freed. */
void vm_listen(struct vm *vm, vm_listener *listener, void *context);

/* Places of a frame and its callers, innermost first, inlined functions
 * included; how many there are (at most max are written). */
size_t vm_stack(const struct vm *vm, uint64_t frame, struct vm_place *places, size_t max);
/* The same of an instruction, without callers. */
size_t vm_places_at(const struct vm *vm, uint64_t pc, struct vm_place *places, size_t max);
/* "fork_[2]", "queue.head", "heap object of 24 bytes made at q.c:12", ...;
 * written to text (always terminated). */
void vm_describe(const struct vm *vm, uint64_t addr, char *text, size_t size);

/* Writes the name that the size bytes at an address have in the source: "queue.ready",
 * "node#2.next"; size 0: of everything that begins there.  Objects are numbered as they are
 * mentioned.  Returns the type of the bytes, NULL if it is not known. */
const struct vm_type *vm_name(const struct vm *vm, uint64_t addr, uint32_t size, char *text,
                              size_t n);
/* A value of that type and size as the source would have it: "true", "1.25", "State::Idle";
 * pointer: it is known to be an address. */
void vm_value_text(const struct vm *vm, const struct vm_type *type, uint64_t value,
                   uint32_t size, bool pointer, char *text, size_t n);
/* The same of 16 bytes, in two words; "" where nothing is known of their type. */
void vm_wide_text(const struct vm *vm, const struct vm_type *type, uint64_t low, uint64_t high,
                  char *text, size_t n);
/* The values in the condition that led to the call in which the program's innermost frame is,
 * of this one and its callers, as it was to be: "60 + 60 <= 100"; false if they are not known.
 */
bool vm_condition(const struct vm *vm, uint64_t frame, char *text, size_t size);
/* "int", "node *", "" if it is not known. */
void vm_type_text(const struct vm_type *type, char *text, size_t n);

/* Reads up to 8 bytes as a number; false if they do not exist or are not all defined. */
bool vm_read_bytes(const struct vm *vm, uint64_t addr, uint32_t size, uint64_t *value);
/* Reads `bits` bits as a number, from bit `first` of the first byte on, in 8 bytes at most. */
bool vm_read_bits(const struct vm *vm, uint64_t addr, uint32_t first, uint32_t bits,
                  uint64_t *value);
/* The 8 bytes at an address, as a number; false if they are not there or not defined. */
bool vm_read(const struct vm *vm, uint64_t addr, uint64_t *value);

/* ---- what there is at a moment of a run, while somebody listens (view.c) --------- */

/* Threads that have not ended: each with the frame that it is in.  How many were written. */
struct vm_view_thread {
    uint64_t tid, frame;
};
size_t vm_view_threads(const struct vm *vm, struct vm_view_thread *threads, size_t max);
/* The frame of its caller, or 0. */
uint64_t vm_caller(const struct vm *vm, uint64_t frame);
/* Where a frame is in the user's code; false if it is not. */
bool vm_frame_place(const struct vm *vm, uint64_t frame, struct vm_place *place);

/* Its function, as the source calls it; whether the frame is about to do the first of what the
 * function does, if it is queried (struct vm_watch). */
const char *vm_frame_name(const struct vm *vm, uint64_t frame);
/* Returns the name of the user's global variable at an address, or "". */
const char *vm_global_name(const struct vm *vm, uint64_t addr);
bool vm_frame_is_of(const struct vm *vm, uint64_t frame, uint32_t function);
bool vm_frame_enters(const struct vm *vm, uint64_t frame);
/* The address of a thread-local variable of a thread, or 0 if the thread has none. */
uint64_t vm_thread_local(const struct vm *vm, uint64_t tid, uint32_t number);
/* Has the thread that a handle (pthread_t) stands for ended?  false: also if it is none. */
bool vm_has_ended(const struct vm *vm, uint64_t handle);
/* The address of the one of these variables that the frame has, or 0 if it has none now; of
 * several, of those that have a value if there are any, that which was made last. */
uint64_t vm_local(const struct vm *vm, uint64_t frame,
                  const struct vm_variable *const *variables, size_t n);

/* Calls see with the user's global variables, and with the local ones of a frame that are in
 * memory: names and addresses. */
typedef void vm_view_variable(void *context, const char *name, uint64_t addr);
void vm_view_globals(const struct vm *vm, vm_view_variable *see, void *context);
void vm_view_locals(const struct vm *vm, uint64_t frame, vm_view_variable *see, void *context);

/* Calls see with each allocation of the user's code, whether or not anything leads to it. */
void vm_view_heap(const struct vm *vm, vm_view_variable *see, void *context);

enum vm_view_kind { VM_VIEW_GLOBAL, VM_VIEW_LOCAL, VM_VIEW_HEAP };
struct vm_view_object {
    enum vm_view_kind kind;
    uint64_t addr; /* where it begins */
    uint32_t size, at;
    const struct vm_type *type; /* of what begins at `at`, perhaps several times; or NULL */
};
/* The object of the program's that an address is in; false if it is none. */
bool vm_view_object(const struct vm *vm, uint64_t addr, struct vm_view_object *object);

/* A part of an object that has a value; valid during the call only. */
struct vm_view_part {
    const char *path; /* "next", "[2].x", or "" */
    const struct vm_type *type;
    uint32_t offset, size;
    const char *text; /* as the source would write it; NULL: of an address, or not to be seen */
    uint64_t target;  /* an address in an object of the program's, which may be freed; or 0 */
    bool is_pointer, is_undefined;
};
typedef void vm_view_part(void *context, const struct vm_view_part *part);
/* Calls see with so many parts at most; how many there are. */
size_t vm_view_parts(const struct vm *vm, const struct vm_view_object *object, size_t max,
                     vm_view_part *see, void *context);
/* Calls see with the local variables of a frame that are in registers, as far as their scope is
 * entered and their values are known (vm_options.notes): each with its name and up to max
 * parts.
 */
typedef void vm_view_register(void *context, const char *name, const struct vm_view_part *part);
void vm_view_registers(const struct vm *vm, uint64_t frame, size_t max, vm_view_register *see,
                       void *context);

/* Checks every invariant of heap and states; aborts on a broken one. */
void vm_valid(const struct vm *vm);

const char *vm_action_text(enum vm_action action);
const char *vm_fault_text(enum vm_fault_kind fault);

#endif
