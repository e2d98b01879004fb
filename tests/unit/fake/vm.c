/* fake/vm.c - a machine for tests of the checker: vm/vm.h over a toy program.
 *
 * THREADS threads do STEPS steps each; a step adds 1 to a counter.  The arguments of
 * the "program" say what is special about it:
 *   threads=N steps=N   sizes
 *   bug                 a step is a load, then a store: an update can be lost
 *   boot=N              the counter starts with a chosen value below N
 *   assume              each step chooses one of 3; the last is assumed away
 *   drop                the second of these gives up what was loaded: states come again
 *   address             it looks at an address as a number
 *   forks               it forks, if it is taken not to
 *   alike               fingerprints begin with one of 64 numbers of 31 bits
 *   symmetric           fingerprints don't tell threads apart, whose steps differ in length
 *   untold              nothing is predicted
 *   turns=N             the first N threads begin again after their last step; with assume, if
 *                       the second of the three is chosen there
 *
 * When all are done, the counter must be what it should be. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../store/store.h"
#include "../../../vm/vm.h"

enum { MAX_THREADS = 8, MAX_MARKS = 8 };

struct vm_program {
    int threads, steps, boot, turns;
    bool bug, assume, drop, address, alike, symmetric, untold, forks;
};

struct toy {
    uint8_t counter, start;
    struct {
        uint8_t left, loaded, value;
    } thread[MAX_THREADS];
};

enum at { AT_BOOT, AT_SCHEDULER, AT_THREAD, AT_ASSUME, AT_END };

/* All that a mark must bring back. */
struct moment {
    struct toy toy;
    enum at at;
    int running;
    unsigned flags;
    bool again; /* the thread that runs begins again, if it is to do so */
    struct vm_candidate ready[MAX_THREADS];
    int nready;
    bool finished;
};

struct vm {
    const struct vm_program *program;
    struct vm_options options;
    struct moment now, marks[MAX_MARKS];
    struct toy restored;
    int nmarks;
    bool choosing, saw_address, forked;
    vm_listener *listener;
    void *context;
    struct vm_stats stats;
    uint64_t graph[5];
};

struct vm_state {
    struct toy toy;
};

/* ---- loading --------------------------------------------------------------------- */

static int number(const char *arg, const char *name, int otherwise)
{
    size_t n = strlen(name);
    return !strncmp(arg, name, n) ? atoi(arg + n) : otherwise;
}

struct vm_program *vm_load(const struct vm_load *load, char **error)
{
    struct vm_program *program = calloc(1, sizeof *program);
    *error = NULL;
    program->threads = program->steps = 2;
    for (int i = 0; i < load->start.argc; i++) {
        const char *arg = load->start.argv[i];
        program->threads = number(arg, "threads=", program->threads);
        program->steps = number(arg, "steps=", program->steps);
        program->boot = number(arg, "boot=", program->boot);
        program->turns = number(arg, "turns=", program->turns);
        program->bug |= !strcmp(arg, "bug");
        program->assume |= !strcmp(arg, "assume") || !strcmp(arg, "drop");
        program->drop |= !strcmp(arg, "drop");
        program->address |= !strcmp(arg, "address");
        program->forks |= !strcmp(arg, "forks");
        program->alike |= !strcmp(arg, "alike");
        program->symmetric |= !strcmp(arg, "symmetric");
        program->untold |= !strcmp(arg, "untold");
    }
    return program;
}

void vm_unload(struct vm_program *program)
{
    free(program);
}

/* The fake's only program is made by its first arguments. */
void vm_set_start(struct vm_program *program, const struct vm_start *start)
{
    (void)program;
    (void)start;
}

bool vm_read(const struct vm *vm, uint64_t addr, uint64_t *value)
{
    (void)vm;
    (void)addr;
    (void)value;
    return false;
}

void vm_write_profile(const struct vm *vm, FILE *out)
{
    (void)vm;
    (void)out;
}

uint64_t vm_program_hash(const struct vm_program *program)
{
    return (uint64_t)(program->threads * 1000 + program->steps);
}

bool vm_program_as_written(const struct vm_program *program)
{
    (void)program;
    return false;
}

enum vm_model vm_model(const struct vm_program *program, const struct vm_options *options)
{
    (void)program, (void)options;
    return VM_MODEL_SC;
}

const struct vm_weak *vm_program_weak(const struct vm_program *program)
{
    (void)program;
    return NULL;
}

uint64_t *vm_monitor_reads(const struct vm_program *program, size_t *n, bool *follows)
{
    (void)program;
    *n = 0;
    *follows = false;
    return NULL;
}

_Atomic(uint8_t) *vm_accessed(const struct vm_program *program, size_t *n)
{
    (void)program;
    *n = 0;
    return NULL;
}

bool vm_program_has_weak_exchanges(const struct vm_program *program)
{
    (void)program;
    return false;
}

const char *vm_program_unprototyped(const struct vm_program *program)
{
    (void)program;
    return NULL;
}

/* ---- running --------------------------------------------------------------------- */

struct vm *vm_open(const struct vm_program *program, const struct vm_options *options)
{
    struct vm *vm = calloc(1, sizeof *vm);
    vm->program = program;
    vm->options = *options;
    return vm;
}

void vm_thread_ends(void)
{
}

void vm_close(struct vm *vm)
{
    if (vm->nmarks)
        abort();
    free(vm);
}

void vm_boot(struct vm *vm)
{
    vm->now = (struct moment){.at = AT_BOOT};
    for (int i = 0; i < vm->program->threads; i++)
        vm->now.toy.thread[i].left = (uint8_t)vm->program->steps;
}

void vm_start(struct vm *vm)
{
    struct toy toy = vm->now.toy;
    vm->now = (struct moment){.toy = toy, .at = AT_SCHEDULER};
}

static void emit(struct vm *vm, struct vm_event event)
{
    if (vm->listener)
        vm->listener(vm->context, &event);
}

static void trace(struct vm *vm, int kind, const void *data, size_t len)
{
    emit(vm,
         (struct vm_event){.kind = VM_EVENT_TRACE, .trace = kind, .data = data, .len = len});
}

static enum vm_stop end(struct vm *vm, unsigned flags)
{
    vm->now.at = AT_END;
    vm->now.flags = flags;
    return VM_STOP_END;
}

static void action(struct vm *vm, enum vm_action what, bool read, bool written, uint64_t value)
{
    emit(vm, (struct vm_event){.kind = VM_EVENT_ACTION,
                               .action = what,
                               .frame = (uint64_t)vm->now.running + 1,
                               .addr = 1ull << 32,
                               .size = 1,
                               .has_read = read,
                               .read = value,
                               .has_written = written,
                               .written = value});
}

static void turn(struct vm *vm, int thread)
{
    struct toy *toy = &vm->now.toy;
    bool again = thread < vm->program->turns && (vm->now.again || !vm->program->assume);
    if (again && !toy->thread[thread].left) {
        toy->thread[thread].left = (uint8_t)vm->program->steps;
        toy->counter = (uint8_t)(toy->counter - vm->program->steps);
    }
}

static enum vm_stop step(struct vm *vm)
{
    struct toy *toy = &vm->now.toy;
    int i = vm->now.running;
    vm->stats.instructions += vm->program->symmetric ? (uint64_t)i : 0;
    if (!vm->program->bug) {
        action(vm, VM_ACT_RMW, true, true, ++toy->counter);
        toy->thread[i].left--;
        turn(vm, i);
    } else if (!toy->thread[i].loaded) {
        toy->thread[i].loaded = 1;
        toy->thread[i].value = toy->counter;
        action(vm, VM_ACT_LOAD, true, false, toy->counter);
    } else {
        toy->counter = (uint8_t)(toy->thread[i].value + 1);
        toy->thread[i].loaded = toy->thread[i].value = 0;
        toy->thread[i].left--;
        action(vm, VM_ACT_STORE, false, true, toy->counter);
    }
    return end(vm, 0);
}

/* All threads are done: the counter is checked. */
static enum vm_stop finish(struct vm *vm)
{
    struct toy *toy = &vm->now.toy;
    static const char message[] = "assertion failed: counter is right";
    int right = vm->program->threads * vm->program->steps + toy->start;
    if (toy->counter == (uint8_t)right)
        return end(vm, VM_FLAG_END);
    struct vm_trace_thread thread = {.tid = 1, .frame = (struct vm_frame *)1};
    struct vm_trace_run run = {.saved.frame = thread.frame, .tid = 1};
    trace(vm, VM_TRACE_RUN, &run, sizeof run);
    trace(vm, VM_TRACE_OUTPUT + (1 << 8), "wrong\n", 6);
    trace(vm, VM_TRACE_THREAD, &thread, sizeof thread);
    trace(vm, VM_TRACE_ERROR + (VM_FAULT_ASSERT << 8), message, sizeof message - 1);
    return end(vm, VM_FLAG_ERROR);
}

static enum vm_stop schedule(struct vm *vm)
{
    struct moment *now = &vm->now;
    now->nready = 0;
    for (int i = 0; i < vm->program->threads; i++)
        if (now->toy.thread[i].left)
            now->ready[now->nready++] = (struct vm_candidate){.thread = (uint64_t)i};
    if (!now->nready)
        return finish(vm);
    vm->choosing = now->nready > 1;
    if (!vm->choosing)
        now->running = (int)now->ready[0].thread;
    now->at = AT_THREAD;
    return VM_STOP_CHOOSE;
}

enum vm_stop vm_run(struct vm *vm)
{
    struct moment *now = &vm->now;
    vm->stats.instructions++;
    for (;;) {
        switch (now->at) {
        case AT_BOOT:
            now->at = AT_END;
            if (vm->program->boot > 1) {
                vm->choosing = true;
                now->nready = -1;
                return VM_STOP_CHOOSE;
            }
            break;
        case AT_SCHEDULER:
            if (schedule(vm) == VM_STOP_END)
                return VM_STOP_END;
            if (vm->choosing)
                return VM_STOP_CHOOSE;
            break;
        case AT_THREAD: {
            uint64_t tid = (uint64_t)now->running + 1;
            struct vm_trace_run run = {.saved.frame = (struct vm_frame *)tid, .tid = tid};
            trace(vm, VM_TRACE_RUN, &run, sizeof run);
            if (!vm->program->assume)
                return step(vm);
            now->at = AT_ASSUME;
            now->nready = -1;
            vm->choosing = true;
            return VM_STOP_CHOOSE;
        }
        case AT_ASSUME: return step(vm);
        case AT_END:
            vm->saw_address |= vm->program->address && vm->options.heap_symmetry;
            vm->forked |= vm->program->forks && vm->options.without_forks;
            return VM_STOP_END;
        }
    }
}

struct vm_choice vm_pending(const struct vm *vm)
{
    const struct moment *now = &vm->now;
    if (now->nready >= 0)
        return (struct vm_choice){
            .n = now->nready, .scheduling = true, .candidates = now->ready};
    return (struct vm_choice){.n = now->at == AT_ASSUME ? 3 : vm->program->boot};
}

void vm_choose(struct vm *vm, int value)
{
    struct moment *now = &vm->now;
    if (!vm->choosing || value < 0 || value >= vm_pending(vm).n)
        abort();
    vm->choosing = false;
    if (now->at == AT_THREAD)
        now->running = (int)now->ready[value].thread;
    else if (now->at == AT_END)
        now->toy.start = now->toy.counter = (uint8_t)value;
    else if (value == 2)
        end(vm, VM_FLAG_CANCEL);
    else if (now->at == AT_ASSUME && vm->program->turns)
        now->again = value == 1;
    else if (value == 1 && vm->program->drop && now->toy.thread[now->running].loaded) {
        now->toy.thread[now->running].loaded = now->toy.thread[now->running].value = 0;
        end(vm, 0);
    }
}

void vm_start_error(struct vm *vm, enum vm_fault_kind kind, const char *message)
{
    (void)kind, (void)message;
    end(vm, VM_FLAG_ERROR);
    vm->now.at = AT_END;
}

unsigned vm_flags(const struct vm *vm)
{
    return vm->now.flags;
}

/* Wrong sums are wrong at places of their own. */
struct vm_failure vm_failure(const struct vm *vm)
{
    return (struct vm_failure){VM_FAULT_ASSERT, 1u + vm->now.toy.counter};
}

unsigned vm_broken(const struct vm *vm)
{
    return (unsigned)vm->saw_address << VM_ASSUMES_ADDRESSES | (unsigned)vm->forked
                                                                   << VM_ASSUMES_FORKS;
}

unsigned vm_drop_assumption(struct vm_options *options, unsigned broken)
{
    if (broken >> VM_ASSUMES_ADDRESSES & 1) {
        options->heap_symmetry = false;
        options->addresses_matter = true;
        return 1u << VM_ASSUMES_ADDRESSES;
    }
    assert(broken == 1u << VM_ASSUMES_FORKS);
    options->without_forks = false;
    return broken;
}

const char *vm_unfit_for_executions(unsigned broken)
{
    return broken ? "of an assumption" : NULL;
}

/* Every other thread's step is known, unless it is an error or has a choice in it: it is done,
 * and undone. */
void vm_predict(struct vm *vm, unsigned k, struct vm_prediction *prediction)
{
    const struct moment before = vm->now;
    vm_listener *listener = vm->listener;
    uint64_t instructions = vm->stats.instructions;
    vm->listener = NULL;
    vm_choose(vm, (int)k);
    bool ended = vm_run(vm) == VM_STOP_END;
    *prediction =
        (struct vm_prediction){.known = !vm->program->untold && k % 2 && ended &&
                                        !(vm->now.flags & (VM_FLAG_ERROR | VM_FLAG_CANCEL)),
                               .flags = vm->now.flags,
                               .instructions = vm->stats.instructions - instructions};
    vm_finish(vm);
    vm_hash(vm, prediction->hash);
    vm->stats.instructions = instructions;
    vm->now = before;
    vm->choosing = true;
    vm->listener = listener;
}

/* A machine without a transition cache predicts nothing. */
unsigned vm_predict_begin(struct vm *vm, unsigned n)
{
    return vm->options.tcache_bytes ? n : 0;
}

void vm_skip(struct vm *vm, const struct vm_prediction *prediction)
{
    vm->stats.instructions += prediction->instructions;
}

/* ---- states ---------------------------------------------------------------------- */

size_t vm_marked_orders(const struct vm *vm)
{
    (void)vm;
    return 0;
}

void vm_mark(struct vm *vm)
{
    if (!vm->choosing || vm->nmarks == MAX_MARKS)
        abort();
    vm->marks[vm->nmarks++] = vm->now;
}

void vm_rollback(struct vm *vm)
{
    vm->now = vm->marks[vm->nmarks - 1];
    vm->choosing = true;
}

void vm_drop(struct vm *vm, size_t n)
{
    vm->nmarks -= (int)n;
}

void vm_pop(struct vm *vm)
{
    vm_rollback(vm);
    vm_drop(vm, 1);
}

/* Those that have most to do first. */
static void sort_threads(struct toy *toy)
{
    for (int i = 1; i < MAX_THREADS; i++)
        for (int k = i; k > 0 && toy->thread[k - 1].left < toy->thread[k].left; k--) {
            __typeof__(toy->thread[k]) other = toy->thread[k];
            toy->thread[k] = toy->thread[k - 1];
            toy->thread[k - 1] = other;
        }
}

void vm_finish(struct vm *vm)
{
    vm->now.finished = true;
}

void vm_hash(const struct vm *vm, uint64_t hash[2])
{
    assert(vm->now.finished);
    struct toy toy = vm->now.toy;
    const unsigned char *bytes = (const unsigned char *)&toy;
    if (vm->program->symmetric)
        sort_threads(&toy);
    uint64_t x = 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < sizeof toy; i++) {
        x = (x ^ bytes[i]) * 0xbf58476d1ce4e5b9;
        x ^= x >> 29;
    }
    hash[0] = vm->program->alike ? x >> 31 | (5 + x % 64) << 33 : x;
    hash[1] = x * 0x94d049bb133111eb;
}

/* A root with the bytes of the toy, some of them in a node of their own. */
const uint64_t *vm_graph(struct vm *vm, size_t *n)
{
    const struct vm_contents *contents = vm->options.contents;
    const struct toy *toy = &vm->now.toy;
    vm->graph[0] = (uint64_t)1 << 32 | STORE_GRAPH_ROOT | 3;
    vm->graph[1] = toy->counter + 1u;
    vm->graph[2] = toy->start + 1u;
    vm->graph[3] = 0;
    vm->graph[4] =
        (uint64_t)contents->number(contents->context, toy->thread, sizeof toy->thread) << 32;
    *n = 5;
    return vm->graph;
}

struct vm_state *vm_snapshot(struct vm *vm)
{
    struct vm_state *state = malloc(sizeof *state);
    assert(vm->now.finished);
    state->toy = vm->now.toy;
    vm->stats.snapshots++;
    return state;
}

void vm_restore(struct vm *vm, struct vm_state *state)
{
    vm->now = (struct moment){.toy = state->toy, .at = AT_END};
    vm->restored = state->toy;
    vm->stats.restores++;
    free(state);
}

struct vm_state *vm_restored(const struct vm *vm)
{
    struct vm_state *state = malloc(sizeof *state);
    state->toy = vm->restored;
    return state;
}

void vm_give_back(struct vm *vm)
{
    (void)vm;
}

void vm_prefetch(const struct vm_state *state, enum vm_prefetched what)
{
    (void)state, (void)what;
}

void vm_release(struct vm_state *state)
{
    free(state);
}

void vm_states_write(struct vm_state *const *states, size_t n, struct vm_bytes *out)
{
    out->at = realloc(out->at, out->max += n * sizeof(struct toy));
    for (size_t i = 0; i < n; i++, out->n += sizeof(struct toy))
        memcpy(out->at + out->n, &states[i]->toy, sizeof(struct toy));
}

size_t vm_states_read(const unsigned char *bytes, struct vm_state **states, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        states[i] = malloc(sizeof **states);
        memcpy(&states[i]->toy, bytes + i * sizeof(struct toy), sizeof(struct toy));
    }
    return n * sizeof(struct toy);
}

const struct vm_stats *vm_stats(const struct vm *vm)
{
    return &vm->stats;
}

/* ---- reports --------------------------------------------------------------------- */

void vm_listen(struct vm *vm, vm_listener *listener, void *context)
{
    vm->listener = listener;
    vm->context = context;
}

size_t vm_stack(const struct vm *vm, uint64_t frame, struct vm_place *places, size_t max)
{
    (void)vm;
    if (max < 2)
        return 0;
    places[0] = (struct vm_place){"inner", "lib.c", 1, 0, true};
    places[1] = (struct vm_place){frame == 1 ? "main" : "work", "dir/toy.c",
                                  10 + (unsigned)frame, 0, false};
    return 2;
}

size_t vm_places_at(const struct vm *vm, uint64_t pc, struct vm_place *places, size_t max)
{
    (void)pc;
    return vm_stack(vm, 0, places, max);
}

void vm_describe(const struct vm *vm, uint64_t addr, char *text, size_t size)
{
    (void)vm;
    const char *name = addr == 1ull << 32 ? "counter" : "?";
    size_t n = strlen(name) < size ? strlen(name) : size - 1;
    memcpy(text, name, n);
    text[n] = '\0';
}

/* The toys have no types. */
const struct vm_type *vm_name(const struct vm *vm, uint64_t addr, uint32_t size, char *text,
                              size_t n)
{
    (void)size;
    vm_describe(vm, addr, text, n);
    return NULL;
}

void vm_value_text(const struct vm *vm, const struct vm_type *type, uint64_t value,
                   uint32_t size, bool pointer, char *text, size_t n)
{
    (void)vm, (void)type, (void)size, (void)pointer;
    snprintf(text, n, "%" PRIu64, value);
}

void vm_wide_text(const struct vm *vm, const struct vm_type *type, uint64_t low, uint64_t high,
                  char *text, size_t n)
{
    (void)vm, (void)type;
    snprintf(text, n, "%" PRIu64 ":%" PRIu64, high, low);
}

bool vm_condition(const struct vm *vm, uint64_t frame, char *text, size_t size)
{
    (void)vm, (void)frame, (void)text, (void)size;
    return false;
}

void vm_type_text(const struct vm_type *type, char *text, size_t n)
{
    (void)type;
    snprintf(text, n, "%s", "");
}

void vm_valid(const struct vm *vm)
{
    (void)vm;
}

const char *vm_action_text(enum vm_action what)
{
    static const char *const texts[] = {
#define VM_ACTION(name, text, orders, reads, shown) text,
#include "../../../vm/action.def"
    };
    return texts[what];
}

const char *vm_fault_text(enum vm_fault_kind fault)
{
    static const char *const texts[] = {
#define VM_FAULT(name, class, text) text,
#include "../../../vm/fault.def"
    };
    return texts[fault];
}

bool vm_is_concurrent(const struct vm *vm)
{
    (void)vm;
    return true;
}

size_t vm_objects(const struct vm *vm)
{
    (void)vm;
    return 0;
}
