/* hypercall.c - the hypercalls, and the end of a transition. */
#include <string.h>

#include "vm/exec/access.h"
#include "vm/exec/access_log.h"
#include "vm/exec/address_space.h"
#include "vm/exec/atomic.h"
#include "vm/exec/buffer.h"
#include "vm/exec/call.h"
#include "vm/exec/late.h"
#include "vm/exec/listen.h"
#include "vm/exec/mode.h"
#include "vm/exec/observe.h"
#include "vm/exec/register.h"
#include "vm/exec/transition.h"
#include "vm/heap/memory.h"
#include "vm/machine.h"

/* The transition is over: the interrupted frame goes to where the guest wants
 * it, footprints are written back, control registers are cleared. */
void vm_end_transition(struct vm *vm, unsigned flags)
{
    struct vm_scalars *s = &vm->s;
    vm_late_matters(vm);
    vm_heap_check_suspects(&vm->heap);
    if (s->reg[VM_REG_ADDRESS_SPACE])
        vm_address_space_enter(vm, 0);
    flags |= (unsigned)s->reg[VM_REG_FLAGS] & (VM_FLAG_ERROR | VM_FLAG_CANCEL | VM_FLAG_END);
    vm->ended = flags | ((unsigned)s->reg[VM_REG_FLAGS] & VM_FLAGS_KEPT);
    vm->new_symmetric = s->reg[VM_REG_SYMMETRIC];
    vm->begins = s->alone && !(s->reg[VM_REG_FLAGS] & VM_FLAG_ALONE);
    vm->stop = VM_STOP_END;
    if (flags == 0) {
        vm_save_frame(vm, s->reg[VM_REG_SAVE], s->frame);
        if (!s->reg[VM_REG_SAVE])
            vm_drop_stack(vm, 0);
        vm_race_end(vm);
    } else if (flags == VM_FLAG_END) {
        vm_save_frame(vm, s->thread, 0);
        vm_drop_stack(vm, 0);
        vm_race_over(vm);
    }
    for (int r = 0; r < VM_REG_COUNT; r++)
        if (r != VM_REG_SCHEDULER && r != VM_REG_STATE && r != VM_REG_FAULT)
            s->reg[r] = 0;
    s->frame = 0;
    s->first = s->in_fault = s->alone = s->begun = s->buffered = false;
    s->loops = s->kernel_loops = s->passed = 0;
}

/* May longjmp go to this frame?  It must be a caller, and the frame that called setjmp (frames'
 * indices are used again, so a pointer to it does not tell). */
static bool may_jump(const struct vm *vm, uint64_t frame)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, vm->s.frame);
    uint64_t p = o->data[0];
    if (!p)
        return true; /* the scheduler's own frame */
    while (p && p != frame)
        p = vm_heap_get(&vm->heap, p)->data[0];
    if (!p)
        return false;
    o = vm_heap_get(&vm->heap, p);
    const struct vm_function *f = &vm->program->functions[vm_ptr_index(o->data[1])];
    return (o->flags & VM_JUMPED_TO || f->catches) && f->nregs * 8 == o->size;
}

/* Begins the turn of a thread that the scheduler resumes. */
static void begin_thread(struct vm *vm)
{
    struct vm_scalars *s = &vm->s;
    s->thread = s->reg[VM_REG_SAVE];
    s->scheduling = false;
    if (s->concurrent)
        s->reg[VM_REG_FLAGS] &= ~(uint64_t)VM_FLAG_ALONE;
}

/* Continues in another frame: the scheduler resumes a thread, or a longjmp. */
static enum vm_step resume(struct vm *vm, uint64_t frame)
{
    const struct vm_insn *i;
    enum vm_step step = vm_meet_others(vm, NULL);
    if (step != VM_STEP_NEXT)
        return step;
    if (!vm_frame_function(vm, frame, &i))
        return vm_fault(vm, VM_FAULT_HYPERCALL, "control: 0x%llx is no frame",
                        (unsigned long long)frame);
    if (!vm->s.scheduling && !may_jump(vm, frame))
        return vm_fault(vm, VM_FAULT_BAD_CALL, "longjmp to a function that has returned");
    if (!vm->s.scheduling)
        step = vm_end_locals(vm, vm->s.frame, frame);
    if (step != VM_STEP_NEXT)
        return step;
    vm_drop_stack(vm, frame);
    bool switched = vm->s.frame != frame;
    vm->s.frame = frame;
    if (vm->s.scheduling) {
        vm->s.alone = vm->s.reg[VM_REG_FLAGS] & VM_FLAG_ALONE;
        begin_thread(vm);
    }
    if (!switched)
        return VM_STEP_RELOAD;
    uint64_t pc = vm_heap_get(&vm->heap, frame)->data[1];
    bool alone = vm->s.reg[VM_REG_FLAGS] & VM_FLAG_ALONE; /* nothing is visible */
    bool pending = (uint32_t)pc != 0 && vm_stops_at(i->op) && i->op != VM_OP_LOOP &&
                   i->op != VM_OP_LANDED; /* those are no actions */
    vm->s.first = (!alone || vm->options.queries) && pending;
    vm_race_begin(vm);
    vm_buffer_arrive(vm);
    if (alone)
        vm_race_clear(vm);
    if ((uint32_t)pc == 0 || !vm_stops_at(i->op))
        vm_race_arrive(vm, (uint32_t)pc == 0);
    return VM_STEP_RELOAD;
}

enum vm_step vm_run_thread(struct vm *vm, uint64_t thread)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, thread);
    uint32_t at = (uint32_t)thread;
    struct vm_trace_run run;
    if (!o || !vm->s.scheduling || (uint64_t)at + sizeof run > o->size)
        return vm_fault(vm, VM_FAULT_HYPERCALL, "control: 0x%llx is no thread",
                        (unsigned long long)thread);
    memcpy(&run, (const char *)o->data + at, sizeof run);
    uint64_t *reg = vm->s.reg;
    reg[VM_REG_SAVE] = reg[VM_REG_USER] = thread;
    reg[VM_REG_TLS] = (uint64_t)run.tls;
    reg[VM_REG_FLAGS] &=
        ~(uint64_t)(VM_FLAG_KERNEL | VM_FLAG_COMMUTES | VM_FLAG_READS_FIXED | VM_FLAG_SECTION);
    if (vm->listener)
        vm_emit(vm, &(struct vm_event){.kind = VM_EVENT_TRACE,
                                       .trace = VM_TRACE_RUN,
                                       .data = (const char *)o->data + at,
                                       .len = sizeof run});
    return resume(vm, (uint64_t)run.saved.frame);
}

static enum vm_step note_ended(struct vm *vm, uint64_t list)
{
    const struct vm_obj *o = vm_access_log_on(vm) ? vm_heap_get(&vm->heap, list) : NULL;
    for (uint32_t at = (uint32_t)list; o && at + 8 <= o->size; at += 8)
        if (o->data[at / 8] != vm->s.thread)
            vm_access_log_ended(vm, o->data[at / 8]);
    return VM_STEP_NEXT;
}

static enum vm_step queue(struct vm *vm, uint64_t at, bool changes)
{
    if (vm->s.concurrent && !vm->s.scheduling)
        vm_access_log_append(vm, at + VM_QUEUE, 1, changes, VM_ACCESS_KERNEL);
    return VM_STEP_NEXT;
}

/* Sets a control register by which the guest tells something of itself. */
static enum vm_step tell(struct vm *vm, uint64_t r, uint64_t at, uint64_t op)
{
    if (r == VM_REG_QUEUE)
        return queue(vm, at, op != VM_GET);
    return (enum vm_step)vm_race_told(vm, at, op);
}

static uint64_t special(struct vm *vm, unsigned r, uint64_t value)
{
    if (r == VM_REG_LEAK)
        return vm_next_leak(&vm->heap, vm->s.reg[VM_REG_STATE], value);
    if (r == VM_REG_BOOT)
        return vm_ptr(VM_ID_CONST, vm->program->boot_const, 0);
    if (r == VM_REG_FRAME)
        return vm->s.frame;
    return vm->s.reg[r];
}

void vm_make_opaque(struct vm *vm)
{
    struct vm_scalars *s = &vm->s;
    if (!s->concurrent)
        return;
    if (!s->opacity)
        s->opaque_from = vm->access_log.n;
    if (!vm_is_sole(vm))
        s->opacity = VM_OPAQUE;
    else if (!s->opacity)
        s->opacity = VM_OPAQUE_ALONE;
}

/* Notes assumptions that fail by what the kernel says. */
static void note_broken(struct vm *vm)
{
    static const struct {
        unsigned flag;
        enum vm_assumption assumption;
    } told[] = {{VM_FLAG_ORDER, VM_ASSUMES_JOINS},
                {VM_FLAG_TID, VM_ASSUMES_SYMMETRY},
                {VM_FLAG_DEAD, VM_ASSUMES_DEAD}};
    if (vm->s.reg[VM_REG_FLAGS] & (VM_FLAG_ORDER | VM_FLAG_TID | VM_FLAG_DEAD))
        for (size_t k = 0; k < sizeof told / sizeof *told; k++)
            if (vm->s.reg[VM_REG_FLAGS] & told[k].flag)
                vm_break(vm, told[k].assumption);
}

static enum vm_step control(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint32_t at = (uint32_t)i->k;
    uint64_t r = i->a, op = i->w, value = vm_get(f, at);
    bool bad = false;
    if (!i->flags) {
        r = vm_get(f, i->a), op = vm_get(f, i->b);
        bad = vm_mask(f, i->a) != ~0ull || vm_mask(f, i->b) != ~0ull || r >= VM_REG_COUNT ||
              op > VM_ANDNOT;
    }
    if (bad || (op != VM_GET && vm_mask(f, at) != ~0ull))
        return vm_fault(vm, VM_FAULT_HYPERCALL, "control: bad register or operation");
    if (r == VM_REG_FORK && op == VM_SET)
        return vm_fork(vm, i, value);
    if (r == VM_REG_QUEUE || r == VM_REG_ORDERS)
        return tell(vm, r, value, op);
    if (r == VM_REG_PROTECT && op == VM_SET)
        return vm_protect(vm, value);
    if (r == VM_REG_PROTECT) {
        vm_set(f, i->d, vm_protection_of(vm, value, vm_shadow(f, at)), 0x00ff);
        return VM_STEP_NEXT;
    }
    bool enters = r == VM_REG_FLAGS && (op == VM_SET || op == VM_OR) && value & VM_FLAG_KERNEL;
    enum vm_step step = enters ? vm_meet_others(vm, NULL) : VM_STEP_NEXT;
    if (step != VM_STEP_NEXT)
        return step;
    uint64_t old = special(vm, (unsigned)r, value);
    vm_set(f, i->d, old, old >> 32 && r != VM_REG_FLAGS ? 0xffff : 0x00ff);
    if (op == VM_GET)
        return VM_STEP_NEXT;
    if (r == VM_REG_FRAME)
        return resume(vm, value);
    if (r == VM_REG_RUN)
        return vm_run_thread(vm, value);
    if (r == VM_REG_ENDED)
        return note_ended(vm, value);
    if (r == VM_REG_FORK) {
        vm_address_space_drop(vm, value);
        return VM_STEP_NEXT;
    }
    if (r == VM_REG_ADDRESS_SPACE)
        return vm_address_space_enter(vm, value)
                   ? VM_STEP_NEXT
                   : vm_fault(vm, VM_FAULT_HYPERCALL, "control: this is no space");
    if (r == VM_REG_LEAK || r == VM_REG_BOOT)
        return vm_fault(vm, VM_FAULT_HYPERCALL, "control: the register is read-only");
    if (r == VM_REG_DEFERRED && !vm->options.deferred_joins)
        return VM_STEP_NEXT;
    vm->s.reg[r] = op == VM_SET ? value : op == VM_OR ? old | value : old & ~value;
    note_broken(vm);
    if (vm->s.reg[VM_REG_FLAGS] & VM_FLAG_OPAQUE) {
        vm->s.reg[VM_REG_FLAGS] &= ~(uint64_t)VM_FLAG_OPAQUE;
        vm_make_opaque(vm);
    }
    if (vm->s.reg[VM_REG_FLAGS] & VM_FLAG_STOP) {
        vm_end_transition(vm, 0);
        return VM_STEP_STOP;
    }
    return VM_STEP_NEXT;
}

bool vm_word_is_ready(const struct vm *vm, uint64_t word, uint32_t ready)
{
    const struct vm_obj *o = vm_heap_part(&vm->heap, word, 4);
    if (!o || (uint64_t)(uint32_t)word + 4 > o->size)
        return true;
    int value;
    memcpy(&value, (const char *)o->data + (uint32_t)word, sizeof value);
    return ready >> ((value != 0) + (value < 0)) & 1;
}

static bool need_not_wait(const struct vm *vm)
{
    struct vm_await await = vm_wait_of(vm, vm->s.reg[VM_REG_SAVE]);
    return vm_word_is_ready(vm, await.word, await.ready);
}

/* Returns the record of a thread, or NULL if the thread cannot run. */
static const struct vm_saved *saved_if_ready(const struct vm *vm, uint64_t thread)
{
    const struct vm_table *heap = &vm->heap.table[VM_ID_HEAP];
    uint32_t id = vm_ptr_id(thread); /* that is where the kernel has it */
    const struct vm_obj *o = id < heap->n ? heap->obj[id] : NULL;
    if (__builtin_expect(!o, 0))
        o = vm_heap_get(&vm->heap, thread);
    if (!o || (uint64_t)(uint32_t)thread + sizeof(struct vm_saved) > o->size)
        return NULL;
    const struct vm_saved *saved = (const void *)((const char *)o->data + (uint32_t)thread);
    if (!saved->frame ||
        (saved->word && !vm_word_is_ready(vm, (uint64_t)saved->word, saved->ready)))
        return NULL;
    return saved;
}

static uint32_t number_of(const struct vm *vm, uint64_t thread)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, thread);
    struct vm_trace_run run = {0};
    if (o && (uint64_t)(uint32_t)thread + sizeof run <= o->size)
        memcpy(&run, (const char *)o->data + (uint32_t)thread, sizeof run);
    return (uint32_t)run.tid;
}

/* Lists the threads of a list that can run, and their places in the list. */
void vm_list_candidates(struct vm *vm, uint64_t list, uint32_t n)
{
    const uint64_t *thread = vm_heap_get(&vm->heap, list)->data + (uint32_t)list / 8;
    size_t found = 0;
    if (n > vm->candidates_capacity) {
        vm->candidates_capacity = n * 2;
        vm->candidates = vm_resize(vm->candidates, n * 2 * sizeof *vm->candidates);
        vm->places = vm_resize(vm->places, n * 2 * sizeof *vm->places);
        vm->told = vm_resize(vm->told, n * 2 * sizeof *vm->told);
    }
    vm_may_write_list(vm, thread, n);
    for (uint32_t k = 0; k < n; k++) {
        const struct vm_saved *saved = saved_if_ready(vm, thread[k]);
        if (!saved)
            continue;
        if (vm_tells_threads(vm))
            vm->told[found] = (struct vm_candidate){
                vm_named(vm, thread[k]),
                {saved->word ? vm_named(vm, (uint64_t)saved->word) : 0, saved->ready},
                number_of(vm, thread[k])};
        vm->candidates[found] = thread[k];
        vm->places[found++] = k;
    }
    vm->choice.n = (int)found;
    vm->choice.candidates = vm->told;
}

void vm_find_candidates(struct vm *vm, const struct vm_obj *f, const struct vm_insn *i)
{
    vm_list_candidates(vm, vm_get(f, i->b), (uint32_t)vm_get(f, i->a));
}

/* Counts the alternatives of a choice.  In a loop or a recursion, choices are a tree until the
 * transition ends; the next back-edge, call or kernel call ends a large one. */
void vm_count_branches(struct vm_scalars *s, uint32_t n)
{
    uint64_t branches = (s->branches + 1ull) * n - 1;
    s->branches = branches < VM_MAX_BRANCHES ? (uint32_t)branches : VM_MAX_BRANCHES;
    if (vm_has_many_branches(s))
        s->loops = VM_MAX_LOOPS - 1;
}

static enum vm_step interrupt_mem(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint64_t p = vm_get(f, i->a), size = vm_get(f, i->b);
    int action = (int)vm_get(f, i->d);
    bool begins = action & VM_ACT_CONDITIONAL && vm->options.conditional;
    bool weak =
        begins || (action & VM_ACT_READY && vm->options.conditional && need_not_wait(vm));
    struct vm_scalars *s = &vm->s;
    action &= ~(VM_ACT_CONDITIONAL | VM_ACT_READY);
    if (action <= 0 || action >= VM_ACT_COUNT)
        return vm_fault(vm, VM_FAULT_HYPERCALL, "interrupt_mem: no such action");
    if (action == VM_ACT_OBSERVE)
        return vm_observe(vm);
    bool stopped = s->first;
    bool open = vm_race_is_open(vm, (enum vm_action)action, p) || s->buffered;
    bool part = begins && !open; /* of what came before, if it does not stop */
    enum vm_step step = vm_meet_others(vm, NULL);
    if (step != VM_STEP_NEXT)
        return step;
    if (!(s->reg[VM_REG_FLAGS] & VM_FLAG_ALONE)) {
        bool skip = weak && !open;
        if (!stopped && !skip && !vm_is_sole(vm))
            return vm_interrupt(vm);
        s->first = false;
    } else if (vm_has_many_branches(s) || (vm->options.queries && !stopped)) {
        return vm_interrupt(vm);
    } else {
        s->first = false;
    }
    vm_buffer_call(vm, (enum vm_action)action);
    if (vm->options.report_races && action != VM_ACT_YIELD && action != VM_ACT_SLEEP)
        vm_race_call(vm, (enum vm_action)action, p);
    if (!stopped && !part && vm->options.names)
        vm_access_log_next(vm, vm_wait_of(vm, s->reg[VM_REG_SAVE]));
    s->reg[VM_REG_FLAGS] |= VM_FLAG_KERNEL;
    s->reg[VM_REG_FLAGS] &=
        ~(uint64_t)(VM_FLAG_COMMUTES | VM_FLAG_READS_FIXED | VM_FLAG_SECTION);
    if (vm->listener)
        vm_emit(vm, &(struct vm_event){.kind = VM_EVENT_ACTION,
                                       .action = (enum vm_action)action,
                                       .addr = p,
                                       .size = (uint32_t)size});
    if (vm->heap.owners && vm_heap_get(&vm->heap, p))
        vm_owner_ask(vm, vm_heap_get(&vm->heap, p));
    if (action == VM_ACT_EXIT)
        vm_owner_end(vm);
    const struct vm_obj *o = vm_access_log_on(vm) ? vm_heap_get(&vm->heap, p) : NULL;
    if (vm_access_log_on(vm) && !(o && o->flags & VM_LOGGED)) /* those have no plain accesses */
        vm_access_log_append(vm, p, size, action != VM_ACT_LOAD, VM_ACCESS_CHECK);
    vm_race_list(vm, (enum vm_action)action);
    const struct vm_entry *e = vm_race_conflict(vm, p, size, action != VM_ACT_LOAD);
    if (!e)
        return action == VM_ACT_EXIT ? vm_end_thread(vm) : VM_STEP_NEXT;
    return (enum vm_step)vm_race_fault(vm, e, p, size, vm_action_text((enum vm_action)action));
}

static enum vm_step choose(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint64_t n = vm_get(f, i->a), list = vm_get(f, i->b);
    if (vm_mask(f, i->a) != ~0ull || (int32_t)n < 1 || (int32_t)n > 1 << 20)
        return vm_fault(vm, VM_FAULT_HYPERCALL, "choose: the number of alternatives is %lld",
                        (long long)(int32_t)n);
    if (vm_is_halted(vm))
        return vm_halt(vm);
    enum vm_step step = /* else no call could end the transition */
        vm_has_many_branches(&vm->s) ? vm_meet_others(vm, NULL) : VM_STEP_NEXT;
    if (step != VM_STEP_NEXT)
        return step;
    vm->nchoices++;
    vm->choice = (struct vm_choice){.n = (int)n, .scheduling = vm->s.scheduling};
    if (list) {
        struct vm_obj *o;
        step = vm_check(vm, list, 0xff, n * 8, false, &o);
        if (step != VM_STEP_NEXT)
            return step;
        vm_readset_list(&vm->heap);
        vm_find_candidates(vm, f, i);
    }
    if (vm->choice.n == 0 ||
        (vm->choice.n == 1 && !(list && (vm_tells_threads(vm) || vm->tcache)))) {
        uint32_t place = vm->choice.n == 0 ? UINT32_MAX : list ? vm->places[0] : 0;
        if (list && vm->choice.n)
            vm_may_write_choose(vm, vm->candidates[0]);
        vm_set(f, i->d, place, 0x00ff);
        return VM_STEP_NEXT;
    }
    if (!vm->s.scheduling)
        vm_count_branches(&vm->s, (uint32_t)n);
    vm->stop = VM_STOP_CHOOSE;
    return VM_STEP_STOP;
}

static enum vm_step obj_make(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint64_t size = vm_get(f, i->a), kind = i->flags ? i->k : vm_get(f, i->b);
    if (vm_mask(f, i->a) != ~0ull)
        return vm_fault(vm, VM_FAULT_UNDEFINED, "allocation of undefined size");
    uint64_t site = kind < VM_OBJ_KERNEL ? vm_user_site(vm) : 0;
    bool named = kind & VM_OBJ_STABLE, variable = !named && kind % VM_OBJ_STABLE == VM_OBJ_TLS;
    uint64_t number = named ? kind >> VM_OBJ_DETAIL : 0;
    if (variable)
        site = vm_ptr(VM_ID_CONST,
                      vm->program->thread_locals_const + (uint32_t)(kind >> VM_OBJ_DETAIL), 0);
    if (named || variable)
        kind %= VM_OBJ_STABLE;
    vm->s.begun |= kind == VM_OBJ_FRAME;
    if (kind > VM_OBJ_MAPPED || kind & VM_OBJ_PROTECTED)
        return vm_fault(vm, VM_FAULT_HYPERCALL, "obj_make: no such kind of object");
    size_t limit = vm_limit_met(vm, size);
    if (size > 0x7fffffff || limit)
        return vm_fault(vm, VM_FAULT_LIMIT, "allocation of %llu bytes: the limit is %zu in all",
                        (unsigned long long)size, limit ? limit : 0x7fffffff);
    if (vm_is_halted(vm) || (size >= VM_LARGE && !vm_has_room(size + size / 4)))
        return vm_halt(vm);
    uint64_t p = number && kind == VM_OBJ_FRAME
                     ? vm_heap_make_first(&vm->heap, (uint32_t)size, number)
                     : vm_heap_make(&vm->heap, (uint32_t)size, (uint8_t)kind, site);
    if (!p)
        return vm_fault(vm, VM_FAULT_LIMIT, "too many objects");
    if (number && (kind == VM_OBJ_KERNEL || kind == VM_OBJ_TLS))
        vm_heap_give_id(&vm->heap, p, number);
    vm_owner_take(vm, p);
    vm_note_made(vm, p);
    vm_set(f, i->d, p, 0xffff);
    return VM_STEP_NEXT;
}

/* Checks a pointer with this shadow by which an object, or whether it exists, is asked for. */
static enum vm_step come_to(struct vm *vm, const struct vm_obj *o, uint16_t shadow)
{
    if (shadow >> 8 != 0xff)
        vm_heap_doubt(&vm->heap, o);
    vm_owner_ask(vm, o);
    return vm_meet_others(vm, o);
}

/* Functions that allocate, each with the function that frees. */
static const char *const makers[][2] = {
    [VM_OBJ_HEAP] = {"malloc", "free"},
    [VM_OBJ_NEW] = {"new", "delete"},
    [VM_OBJ_ARRAY] = {"new[]", "delete[]"},
    [VM_OBJ_ALIGNED] = {"aligned new", "aligned delete"},
    [VM_OBJ_ALIGNED_ARRAY] = {"aligned new[]", "aligned delete[]"},
    [VM_OBJ_PRIVATE] = {"mmap", "munmap"},
    [VM_OBJ_MAPPED] = {"mmap", "munmap"},
};

static bool has_maker(uint64_t kind)
{
    return kind < sizeof makers / sizeof *makers && makers[kind][0];
}

static bool may_free(const struct vm *vm, uint64_t p, const struct vm_obj *o, uint64_t as)
{
    if (!o || (uint32_t)p != 0 || vm_ptr_region(p) > VM_ID_FRAME || o->kind == VM_OBJ_STACK)
        return false;
    if (as == VM_OBJ_KERNEL)
        return vm->s.reg[VM_REG_FLAGS] & VM_FLAG_KERNEL;
    return vm_obj_kind(o) == as % VM_OBJ_SIZED &&
           (!(as & VM_OBJ_SIZED) || o->size == as >> VM_OBJ_DETAIL);
}

static enum vm_step bad_free(struct vm *vm, uint64_t p, const struct vm_obj *o, uint64_t as)
{
    uint64_t kind = has_maker(as % VM_OBJ_SIZED) ? as % VM_OBJ_SIZED : VM_OBJ_HEAP;
    const char *made = makers[kind][0], *freed = makers[kind][1];
    char text[256];
    vm_describe(vm, p, text, sizeof text);
    if (!o && vm_ptr_region(p) == VM_ID_HEAP && vm_ptr_index(p) &&
        vm_ptr_index(p) < vm->heap.table[VM_ID_HEAP].n)
        return vm_fault(vm, VM_FAULT_DOUBLE_FREE, "double free: %s", text);
    if (o && has_maker(vm_obj_kind(o)) && vm_obj_kind(o) != kind)
        return vm_fault(vm, VM_FAULT_MISMATCHED_FREE, "%s of what %s made: %s", freed,
                        makers[vm_obj_kind(o)][0], text);
    if (o && vm_obj_kind(o) == kind && (uint32_t)p == 0)
        return vm_fault(vm, VM_FAULT_MISMATCHED_FREE,
                        "%s of %llu bytes: %s, which has %u bytes", freed,
                        (unsigned long long)(as >> VM_OBJ_DETAIL), text, o->size);
    return vm_fault(vm, VM_FAULT_INVALID_FREE, "%s of something %s did not give: %s", freed,
                    made, text);
}

static const char *free_text(const struct vm_obj *o)
{
    return has_maker(vm_obj_kind(o)) ? makers[vm_obj_kind(o)][1] : "free";
}

/* Frees a shared object, which is a write of all of it. */
static enum vm_step free_shared(struct vm *vm, uint64_t p, const struct vm_obj *o)
{
    if (!vm_masked(vm) && (!vm->options.race_free || !vm->options.report_races)) {
        if (!vm->s.first)
            return vm_interrupt(vm);
        vm->s.first = false;
    }
    if (!vm->options.report_races)
        return VM_STEP_NEXT;
    uint64_t size = o->size ? o->size : 1;
    const struct vm_entry *e = vm_race_end_conflict(vm, p, size);
    if (!e)
        return VM_STEP_NEXT;
    /* run the other way round, the access comes after the free */
    return (enum vm_step)vm_race_fault_as(vm, VM_FAULT_FREE_RACE, e, p, size, free_text(o));
}

static enum vm_step obj_free(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint64_t p = vm_get(f, i->a), as = i->flags ? i->k : vm_get(f, i->b);
    if (vm_mask(f, i->a) != ~0ull)
        return vm_fault(vm, VM_FAULT_UNDEFINED, "free of an undefined pointer");
    if (!i->flags && vm_mask(f, i->b) != ~0ull)
        return vm_fault(vm, VM_FAULT_UNDEFINED, "delete by an undefined size");
    struct vm_obj *o = vm_heap_get(&vm->heap, p);
    if (!may_free(vm, p, o, as))
        return bad_free(vm, p, o, as);
    enum vm_step step = come_to(vm, o, vm_shadow(f, i->a));
    if (step == VM_STEP_NEXT && o->flags & VM_SHARED && vm_can_race(vm))
        step = free_shared(vm, p, o);
    if (step == VM_STEP_NEXT && o->flags & VM_SHARED)
        step = vm_buffers_leave(vm, p, o, VM_FAULT_FREE_RACE, free_text(o));
    if (step != VM_STEP_NEXT)
        return step;
    vm_log_access(vm, o, p + VM_EXISTENCE, 1, true, VM_ACCESS_KERNEL);
    if (o->kind != VM_OBJ_KERNEL)
        vm_log_access(vm, o, p, o->size, true, VM_ACCESS_PLAIN);
    else /* such as the record of a thread, by the one that has joined it */
        vm_race_pass(vm, p, false);
    vm_note_freed(vm, p);
    vm_heap_free(&vm->heap, p);
    return VM_STEP_NEXT;
}

static enum vm_step obj_size(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint64_t p = vm_get(f, i->a), size = ~0ull;
    const struct vm_obj *o = vm_heap_part(&vm->heap, p, 0);
    bool code = vm_ptr_region(p) == VM_ID_CODE && vm_ptr_index(p) < vm->program->nfunctions;
    enum vm_step step = o && !code ? come_to(vm, o, vm_shadow(f, i->a)) : vm_meet_others(vm, o);
    if (step != VM_STEP_NEXT)
        return step;
    if (code)
        size = vm->program->functions[vm_ptr_index(p)].nregs * 8ull;
    else if (o)
        size = o->size;
    if (vm_access_log_on(vm)) /* that it is not there any more is something to know, too */
        vm_access_log_append(vm, (p | VM_EXISTENCE), 1, false, VM_ACCESS_KERNEL);
    vm_set(f, i->d, size, 0x00ff);
    return VM_STEP_NEXT;
}

/* Remembers from what is told before an error what is kept also if nobody listens. */
static void note_error(struct vm *vm, uint64_t kind, uint64_t p)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    if ((kind & 255) == VM_TRACE_ERROR && kind >> 8 < VM_FAULT_COUNT)
        vm_note_failure(vm, (enum vm_fault_kind)(kind >> 8));
    if (kind == VM_TRACE_OBJECT && o && (uint32_t)p + sizeof(uint64_t) <= o->size)
        vm_note_failed_object(vm, vm_obj_get(o, (uint32_t)p, sizeof(uint64_t)));
}

static enum vm_step trace(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    bool output = (vm_get(f, i->d) & 255) == VM_TRACE_OUTPUT;
    note_error(vm, vm_get(f, i->d), vm_get(f, i->a));
    if (!vm->listener && !output)
        return VM_STEP_NEXT;
    enum vm_step step = output ? vm_meet_others(vm, NULL) : VM_STEP_NEXT;
    if (step != VM_STEP_NEXT) /* of the others nothing leaves the program */
        return step;
    uint64_t p = vm_get(f, i->a), n = vm_get(f, i->b);
    struct vm_obj *o = vm_heap_get(&vm->heap, p);
    if (output && n) { /* what leaves the program must be there, and defined */
        step = vm_access_plainly(vm, p, vm_shadow(f, i->a), n, false, &o);
        if (step != VM_STEP_NEXT)
            return step;
        for (uint64_t k = 0; k < n; k++)
            if (vm_obj_mask(o, (uint32_t)(p + k), 1) != 0xff)
                return vm_fault(vm, VM_FAULT_UNDEFINED,
                                "output of undefined bytes: byte %llu of %llu",
                                (unsigned long long)k, (unsigned long long)n);
    }
    if (!o || (uint32_t)p + n > o->size)
        n = 0;
    if (vm_get(f, i->d) == VM_TRACE_OBJECT && n == sizeof(uint64_t))
        vm_tell_origin(vm, vm_obj_get(o, (uint32_t)p, sizeof(uint64_t)));
    vm_emit(vm, &(struct vm_event){.kind = VM_EVENT_TRACE,
                                   .trace = (int)vm_get(f, i->d),
                                   .data = n ? (const char *)o->data + (uint32_t)p : "",
                                   .len = n});
    return VM_STEP_NEXT;
}

static enum vm_step obj_resize(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f)
{
    uint64_t p = vm_get(f, i->a), size = vm_get(f, i->b);
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    if (!o || size > 0x7fffffff)
        return vm_fault(vm, VM_FAULT_HYPERCALL, "obj_resize: no such object or too large");
    enum vm_step step = come_to(vm, o, vm_shadow(f, i->a));
    if (step != VM_STEP_NEXT)
        return step;
    vm_heap_resize(&vm->heap, p, (uint32_t)size);
    vm_log_access(vm, vm_heap_get(&vm->heap, p), p | VM_EXISTENCE, 1, true, VM_ACCESS_KERNEL);
    return VM_STEP_NEXT;
}

enum vm_step vm_hypercall(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    switch (i->op) {
    case VM_OP_OBJ_MAKE: return obj_make(vm, i, f);
    case VM_OP_OBJ_FREE: return obj_free(vm, i, f);
    case VM_OP_OBJ_SIZE: return obj_size(vm, i, f);
    case VM_OP_OBJ_RESIZE: return obj_resize(vm, i, f);
    case VM_OP_OBJ_SHARED:
        if (vm_shadow(f, i->a) == 0xffff)
            vm_heap_share(&vm->heap, vm_get(f, i->a));
        else if (vm_shadow(f, i->a) >> 8)
            vm->heap.hidden |= !vm->heap.owners;
        break;
    case VM_OP_TRACE: return trace(vm, i, f);
    case VM_OP_INTERRUPT_MEM: return interrupt_mem(vm, i, f);
    case VM_OP_CHOOSE: return choose(vm, i, f);
    default: assert(i->op == VM_OP_CONTROL); return control(vm, i, f);
    }
    return VM_STEP_NEXT;
}

/* Executes setjmp: stores the frame, the place of the LANDED instruction after it, to which
 * longjmp (libc) sets the frame's pc, and the register of the frame that gets longjmp's value.
 * All that longjmp needs is in the buffer, which may be a copy. */
enum vm_step vm_setjmp(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint64_t p = vm_get(f, i->a);
    struct vm_obj *o;
    enum vm_step step = vm_access_plainly(vm, p, vm_shadow(f, i->a), 24, true, &o);
    if (step != VM_STEP_NEXT)
        return step;
    o = vm_heap_own(&vm->heap, p, o);
    vm_obj_put(o, (uint32_t)p, 8, vm->s.frame, ~0ull, 0xff);
    vm_obj_put(o, (uint32_t)p + 8, 8, f->data[1] + 1, ~0ull, 0xff);
    vm_obj_put(o, (uint32_t)p + 16, 8, i->d - VM_FRAME_HEADER, ~0ull, 0);
    vm_set(f, i->d, 0, 0x00ff);
    f->flags |= VM_JUMPED_TO;
    f->data[1] += 2;
    return VM_STEP_RELOAD;
}
