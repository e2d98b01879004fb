/* vm.c - machines, transitions, marks and states: the interface of vm.h. */
#include "vm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "vm/exec/access_log.h"
#include "vm/exec/buffer.h"
#include "vm/exec/call.h"
#include "vm/exec/interp.h"
#include "vm/exec/observe.h"
#include "vm/exec/profile.h"
#include "vm/exec/register.h"
#include "vm/exec/transition.h"
#include "vm/fingerprint/forms.h"
#include "vm/heap/memory.h"
#include "vm/heap/pool.h"
#include "vm/order/order.h"
#include "vm/tcache/tcache.h"

enum vm_model vm_model(const struct vm_program *program, const struct vm_options *options)
{
    if (program->forks && !options->without_forks)
        return VM_MODEL_SC;
    if (options->store_buffers)
        return VM_MODEL_TSO;
    return program->weak.places && options->weak_memory ? VM_MODEL_C11 : VM_MODEL_SC;
}

struct vm *vm_open(const struct vm_program *program, const struct vm_options *options)
{
    struct vm *vm = vm_zeros(1, sizeof *vm);
    vm->options = *options;
    vm->options.notes &= program->notes != NULL;
    if (vm->options.notes) {
        vm->noted = vm_alloc(sizeof *vm->noted);
        *vm->noted = *program;
        vm->noted->functions = program->notes->functions;
        program = vm->noted;
    }
    vm->program = program;
    if (!vm->options.coalesce)
        vm->options.race_free = vm->options.private_objects = vm->options.deferred_joins =
            false;
    const struct vm_queries *queries = options->queries;
    if (queries && (queries->nlocals || queries->everything)) /* all writes are to be noticed */
        vm->options.private_objects = false;
    if (!vm->options.max_object_bytes)
        vm->options.max_object_bytes = (size_t)1 << 30;
    vm->forks = program->forks && !vm->options.without_forks;
    enum vm_model model = vm_model(program, &vm->options);
    vm->buffers = model == VM_MODEL_TSO;
    assert(!vm->buffers || !options->names);
    vm->options.deferred_joins &= !vm->forks && vm->options.conditional;
    vm->options.thread_symmetry &= !vm->forks;
    bool owners = vm->options.hides_pointers && !vm->forks; /* threads of copies own nothing */
    vm_heap_init(&vm->heap, program,
                 !vm->options.private_objects || (vm->options.hides_pointers && !owners),
                 vm->forks || vm_leaves_out(vm, VM_CACHE_PAGES));
    vm->heap.sums_all = vm_leaves_out(vm, VM_CACHE_INCHASH);
    vm->heap.rebase.never = vm_leaves_out(vm, VM_CACHE_REBASE);
    vm->heap.readset.whole = vm_leaves_out(vm, VM_CACHE_WORDS);
    vm->heap.owners = owners && !vm->heap.share_all;
    vm->options.thread_symmetry &= !vm->heap.owners;
    vm->heap.exact = options->contents;
    if (options->names)
        vm_heap_log_accesses(
            &vm->heap, (struct vm_namer){.names = options->names, .thread = &vm->s.thread});
    vm->tracks = options->read_only && options->coalesce && !options->names &&
                 program->tracked && !vm->forks && !vm->buffers;
    vm->heap.tracker = vm;
    vm->heap.tracked = vm_may_write_label;
    bool values = model == VM_MODEL_C11;
    bool orders = program->weak.places || program->attempts;
    if (orders && !vm->buffers && (vm->options.report_races || values)) {
        vm->race.order = vm_order_new(program->fences, values, options->names);
        vm->heap.on_share = vm_order_share;
        vm->heap.machine = vm;
    }
    vm_finish(vm);
    vm->initial = vm_snapshot(vm);
    vm_profile_open(vm);
    bool cached = !(queries && queries->asks_errors) && !vm->buffers;
    if (cached && options->tcache_bytes && !options->contents && !options->names &&
        !vm->forks && !vm->profile && !vm_leaves_out(vm, VM_CACHE_TRANSITIONS)) {
        vm->forms = vm_forms_new(!vm_leaves_out(vm, VM_CACHE_VISITED),
                                 !vm_leaves_out(vm, VM_CACHE_ORDERS));
        vm->tcache = vm_tcache_new(options->tcache_bytes, vm->forms);
    }
    return vm;
}

void vm_close(struct vm *vm)
{
    while (vm->nmarks)
        vm_pop(vm);
    vm_listen(vm, NULL, NULL);
    vm_tcache_free(vm->tcache);
    vm_forms_free(vm->forms);
    vm_heap_fini(&vm->heap);
    vm_release(vm->initial);
    vm_race_fini(&vm->race);
    free(vm->access_log.at);
    free(vm->candidates);
    free(vm->places);
    free(vm->told);
    free(vm->listed);
    free(vm->marks);
    free(vm->number_of[0]);
    free(vm->number_of[1]);
    free(vm->queue);
    free(vm->vector);
    free(vm->order);
    vm_profile_close(vm);
    free(vm->noted);
    free(vm);
}

static void begin(struct vm *vm)
{
    vm->s.reg[VM_REG_FLAGS] = VM_FLAG_KERNEL;
    vm->s.first = vm->s.in_fault = false;
    vm->s.scheduling = true;
    vm->s.opacity = VM_TRANSPARENT;
    vm->s.thread = 0;
    vm->access_log.n = 0;
    vm->s.first_new = vm->heap.table[VM_ID_HEAP].n;
    vm->s.loops = vm->s.kernel_loops = vm->s.branches = vm->s.passed = 0;
    vm->s.fails = false;
    vm->s.begun = false;
}

static void start_at(struct vm *vm, uint32_t function)
{
    begin(vm);
    vm->s.frame = vm_frame_make(vm, function, 0);
}

/* Lists the threads that the scheduler would choose from; false if it would do anything
 * else. */
static bool list_threads(struct vm *vm)
{
    struct vm_threads threads;
    uint64_t state = vm->s.reg[VM_REG_STATE];
    const struct vm_obj *o = vm_heap_get(&vm->heap, state);
    if (!o || o->size < sizeof threads)
        return false;
    memcpy(&threads, o->data, sizeof threads);
    uint64_t list = (uint64_t)(uint32_t)threads.count * 8;
    if (threads.special || list > o->size - sizeof threads)
        return false;
    vm->one_is_live = threads.live == 1;
    vm_list_candidates(vm, state + o->size - list, (uint32_t)threads.count);
    return vm->choice.n; /* or it is a deadlock */
}

/* Chooses a thread without the scheduler.  In executions and simulated runs the scheduler is
 * called only if it has more to do (struct vm_threads). */
static bool choose_at_once(struct vm *vm)
{
    vm->choice = (struct vm_choice){.scheduling = true};
    if (!vm_tells_threads(vm) || !list_threads(vm))
        return false;
    vm->nchoices++;
    begin(vm);
    return vm->s.at_once = true;
}

static void run_at_once(struct vm *vm, int value)
{
    if (!vm->choice.candidates) /* the machine has been rolled back to here */
        list_threads(vm);
    vm_may_write_choose(vm, vm->candidates[value]);
    if (vm->one_is_live)
        vm->s.reg[VM_REG_FLAGS] |= VM_FLAG_ALONE;
    vm->s.at_once = false;
    vm_run_thread(vm, vm->candidates[value]);
}

static struct vm_state *copy_state(const struct vm_state *state)
{
    struct vm_state *copy = vm_take(sizeof *copy);
    vm_root_retain(&state->root);
    return memcpy(copy, state, sizeof *copy);
}

void vm_boot(struct vm *vm)
{
    vm_restore(vm, copy_state(vm->initial));
    vm_namer_undo(&vm->heap.namer, 0);
    vm_may_write_start(vm);
    memset(vm->s.reg, 0, sizeof vm->s.reg);
    start_at(vm, vm->program->boot);
    if (vm->options.monitors)
        vm->s.reg[VM_REG_FLAGS] |= VM_FLAG_MONITOR;
}

static void go_on(struct vm *vm)
{
    if (vm->tcache)
        vm_tcache_start(vm);
    else if (!choose_at_once(vm))
        vm_call_scheduler(vm);
}

/* Makes the oldest store of a thread reach memory, as a transition in which no thread runs. */
static void drain(struct vm *vm, uint64_t thread)
{
    begin(vm);
    vm_drain(vm, thread);
    vm_end_transition(vm, 0);
    vm->s.drained = true;
}

/* Before a thread is chosen: begins the choice whether a store reaches memory, and whose.
 * Value 0: none. */
static bool drains(struct vm *vm)
{
    uint64_t due = vm_drain_due(vm);
    if (due) {
        drain(vm, due);
        return true;
    }
    vm->choice = (struct vm_choice){.n = (int)vm_drains(vm) + 1};
    vm->s.draining = vm->choice.n > 1;
    vm->nchoices += vm->s.draining;
    return vm->s.draining;
}

static void choose_drain(struct vm *vm, int value)
{
    vm->s.draining = false;
    if (value)
        drain(vm, vm_drain_of(vm, (size_t)value - 1));
    else
        go_on(vm);
}

/* Forgets what was predicted of a transition that nobody has finished. */
static void expect_nothing(struct vm *vm)
{
#ifdef DIVM_DEBUG
    vm->expects = false;
#else
    (void)vm;
#endif
}

void vm_start(struct vm *vm)
{
    assert(vm_ptr_region(vm->s.reg[VM_REG_SCHEDULER]) == VM_ID_CODE);
    expect_nothing(vm);
    vm->finished = false;
    if (!vm_tells_threads(vm))
        vm_heap_close(&vm->heap); /* object hashes of the last state stay valid */
    vm_may_write_start(vm);
    if (!vm_has_pending(vm) || !drains(vm))
        go_on(vm);
}

void vm_start_error(struct vm *vm, enum vm_fault_kind kind, const char *message)
{
    assert(!vm->tcache);
    vm->finished = false;
    if (!vm_tells_threads(vm))
        vm_heap_close(&vm->heap);
    begin(vm);
    vm->s.scheduling = false;
    vm_fault(vm, kind, "%s", message);
}

void vm_call_scheduler(struct vm *vm)
{
    start_at(vm, vm_ptr_index(vm->s.reg[VM_REG_SCHEDULER]));
}

enum vm_stop vm_run(struct vm *vm)
{
    if (vm->s.at_once || vm->s.draining)
        return VM_STOP_CHOOSE;
    enum vm_stop stop = VM_STOP_END;
    if (vm->s.drained)
        vm->s.drained = false;
    else
        stop = vm->tcache ? vm_tcache_run(vm) : vm_interpret(vm);
    if (stop == VM_STOP_END && __builtin_expect(vm->options.queries != NULL, 0))
        vm_ask_queries(vm);
    return stop;
}

void vm_tell_threads(struct vm *vm, enum vm_fault_kind kind)
{
    if (vm_ptr_region(vm->s.reg[VM_REG_FAULT]) != VM_ID_CODE)
        return;
    start_at(vm, vm_ptr_index(vm->s.reg[VM_REG_FAULT]));
    struct vm_obj *o = vm_heap_get(&vm->heap, vm->s.frame);
    vm_set(o, VM_FRAME_HEADER, kind, 0x00ff);
    vm_set(o, VM_FRAME_HEADER + 1, 0, 0x00ff);
    vm->s.in_fault = true;
    vm_interpret(vm);
}

struct vm_choice vm_pending(const struct vm *vm)
{
    return vm->choice;
}

static const struct vm_insn *choosing(const struct vm *vm)
{
    const struct vm_insn *i;
    const struct vm_function *f = vm_frame_function(vm, vm->s.frame, &i);
    assert(f && (i->op == VM_OP_CHOOSE || vm_stops_at(i->op)));
    (void)f;
    return i;
}

static void answer(struct vm *vm, const struct vm_insn *i, uint32_t value)
{
    struct vm_obj *o = vm_heap_own(&vm->heap, vm->s.frame, vm_heap_get(&vm->heap, vm->s.frame));
    vm_set(o, i->d, value, 0x00ff);
    o->data[1]++;
}

void vm_answer(struct vm *vm, uint32_t value)
{
    answer(vm, choosing(vm), value);
}

uint64_t vm_pending_thread(const struct vm *vm, int alternative)
{
    assert(vm->choice.candidates && alternative < vm->choice.n);
    return vm->candidates[alternative];
}

void vm_choose(struct vm *vm, int value)
{
    expect_nothing(vm);
    if (vm->s.draining) {
        choose_drain(vm, value);
        return;
    }
    if (vm->s.at_once) {
        run_at_once(vm, value);
        return;
    }
    const struct vm_insn *i = choosing(vm);
    const struct vm_obj *o = vm_heap_get(&vm->heap, vm->s.frame);
    if (i->op != VM_OP_CHOOSE) { /* an atomic access, which begins again */
        vm->s.picked = (uint32_t)value + 1;
        return;
    }
    if (!vm_get(o, i->b)) {
        answer(vm, i, (uint32_t)value);
        return;
    }
    if (!vm->choice.candidates) /* the machine has been rolled back to here */
        vm_find_candidates(vm, o, i);
    vm_may_write_choose(vm, vm->candidates[value]);
    if (vm->tcache && vm->s.scheduling)
        vm_tcache_choose(vm, vm->places[value], vm->candidates[value]);
    else
        answer(vm, i, vm->places[value]);
}

unsigned vm_flags(const struct vm *vm)
{
    return vm->ended;
}

void vm_mark(struct vm *vm)
{
    if (vm->nmarks == vm->marks_capacity) {
        vm->marks_capacity = vm->marks_capacity ? 2 * vm->marks_capacity : 8;
        vm->marks = vm_resize(vm->marks, vm->marks_capacity * sizeof *vm->marks);
    }
    assert(!vm->heap.readset.recording);
    struct vm_mark *m = &vm->marks[vm->nmarks++];
    vm_heap_check_suspects(&vm->heap);
    vm_heap_mark(&vm->heap, &m->heap);
    vm_race_mark(vm, &m->race);
    vm_access_log_mark(vm, &m->access_log);
    m->nchoices = vm->nchoices;
    m->s = vm->s;
}

size_t vm_marked_orders(const struct vm *vm)
{
    const struct vm_order *order = vm->nmarks ? vm->marks[vm->nmarks - 1].race.order : NULL;
    return order ? vm_order_size(order) : 0;
}

void vm_rollback(struct vm *vm)
{
    assert(vm->nmarks && !vm->heap.readset.recording);
    struct vm_mark *m = &vm->marks[vm->nmarks - 1];
    vm->finished = false;
    vm_heap_undo(&vm->heap, &m->heap);
    vm->s = m->s;
    vm_race_rollback(vm, &m->race);
    vm_access_log_rollback(vm, &m->access_log);
    if (vm->nchoices != m->nchoices)
        vm->choice.candidates = NULL;
}

void vm_drop(struct vm *vm, size_t n)
{
    for (; n; n--) {
        struct vm_mark *m = &vm->marks[--vm->nmarks];
        vm_race_mark_fini(&m->race);
        if (m->access_log.at)
            free(m->access_log.at);
    }
}

void vm_pop(struct vm *vm)
{
    vm_rollback(vm);
    vm_drop(vm, 1);
}

struct vm_state *vm_snapshot(struct vm *vm)
{
    struct vm_state *state = vm_take(sizeof *state);
    assert(vm->finished && !vm->heap.readset.recording && !vm->s.frame);
    state->root = vm_heap_snapshot(&vm->heap);
    state->registers = (struct vm_registers){
        vm->s.reg[VM_REG_STATE],
        vm->s.reg[VM_REG_SCHEDULER],
        vm->s.reg[VM_REG_FAULT],
        vm->s.footprint,
    };
    vm->stats.snapshots++;
#ifdef DIVM_DEBUG
    vm_valid(vm);
#endif
    return state;
}

void vm_restore(struct vm *vm, struct vm_state *state)
{
    assert(vm->nmarks == 0 && !vm->heap.readset.recording);
    vm->finished = false;
    vm_heap_restore(&vm->heap, &state->root);
    memset(&vm->s, 0, sizeof vm->s);
    vm->restored = state->registers;
    vm->s.reg[VM_REG_STATE] = vm->restored.state;
    vm->s.reg[VM_REG_SCHEDULER] = vm->restored.scheduler;
    vm->s.reg[VM_REG_FAULT] = vm->restored.fault;
    vm->s.footprint = vm->restored.footprint;
    vm_race_reset(&vm->race);
    vm->stats.restores++;
    vm_give(state, sizeof *state);
}

struct vm_state *vm_restored(const struct vm *vm)
{
    const struct vm_state state = {vm->heap.origin, vm->restored};
    return copy_state(&state);
}

void vm_give_back(struct vm *vm)
{
    vm_import_give_back(&vm->heap);
}

void vm_prefetch(const struct vm_state *state, enum vm_prefetched what)
{
    enum { LINE = 64, CHANGES = 4 * LINE, OBJECTS = 12 };
    const struct vm_changes *changes;
    if (what == VM_PREFETCH_STATE) {
        for (size_t k = 0; k < sizeof *state; k += LINE)
            __builtin_prefetch((const char *)state + k);
        return;
    }
    if (!(changes = state->root.changes))
        return;
    if (what == VM_PREFETCH_CHANGES)
        for (size_t k = 0; k < CHANGES; k += LINE)
            __builtin_prefetch((const char *)changes + k);
    else
        for (uint32_t k = 0; k < changes->n && k < OBJECTS; k++)
            __builtin_prefetch(changes->at[k].o);
}

void vm_release(struct vm_state *state)
{
    vm_root_release(&state->root);
    vm_give(state, sizeof *state);
}

bool vm_is_concurrent(const struct vm *vm)
{
    return vm->s.concurrent;
}

size_t vm_allocations(const struct vm *vm)
{
    return vm->heap.nheap;
}

size_t vm_published(const struct vm *vm)
{
    return vm->heap.namer.ngiven;
}

size_t vm_objects(const struct vm *vm)
{
    const struct vm_table *table = &vm->heap.table[VM_ID_HEAP];
    size_t n = 0;
    for (uint32_t i = 0; i < table->n; i++)
        n += table->obj[i] != NULL;
    return n > vm->heap.nstable ? n - vm->heap.nstable : 0;
}

const struct vm_stats *vm_stats(const struct vm *vm)
{
    struct vm_stats *s = (struct vm_stats *)&vm->stats;
    s->objects_made = vm->heap.made;
    s->objects_copied = vm->heap.copied;
    s->bytes_copied = vm->heap.bytes_copied;
    s->bytes_hashed = vm->heap.bytes_hashed;
    s->tcache_bytes = vm_tcache_bytes(vm->tcache);
    return s;
}

void vm_valid(const struct vm *vm)
{
    vm_heap_valid(&vm->heap);
    assert(vm->s.frame == 0 || vm_heap_get(&vm->heap, vm->s.frame));
    assert(vm->s.footprint == 0 || vm_heap_get(&vm->heap, vm->s.footprint));
}

static const char *const action_text[] = {
#define VM_ACTION(name, text, orders, reads, shown) text,
#include "action.def"
};
static const char *const fault_text[] = {
#define VM_FAULT(name, class, text) text,
#include "fault.def"
};

const char *vm_action_text(enum vm_action action)
{
    return (unsigned)action < VM_ACT_COUNT ? action_text[action] : "";
}

const char *vm_fault_text(enum vm_fault_kind fault)
{
    return (unsigned)fault < VM_FAULT_COUNT ? fault_text[fault] : "";
}
