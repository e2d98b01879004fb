/* race.c - open footprints, and whether an access conflicts with one. */
#include "race.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "vm/exec/access_log.h"
#include "vm/exec/address_space.h"
#include "vm/exec/call.h"
#include "vm/exec/late.h"
#include "vm/exec/listen.h"
#include "vm/exec/pick.h"
#include "vm/heap/memory.h"
#include "vm/machine.h"
#include "vm/order/order.h"

enum { COMPACT_FROM = 64 };

void vm_race_fini(struct vm_race *race)
{
    free(race->mine);
    free(race->others);
    vm_order_free(race->order);
}

static void push_mine(struct vm_race *race, struct vm_range range)
{
    if (race->nmine == race->mine_capacity) {
        race->mine_capacity = race->mine_capacity ? 2 * race->mine_capacity : 32;
        race->mine = vm_resize(race->mine, race->mine_capacity * sizeof *race->mine);
    }
    race->mine[race->nmine++] = range;
}

static void push_other(struct vm_race *race, struct vm_entry entry)
{
    if (race->nothers == race->others_capacity) {
        race->others_capacity = race->others_capacity ? 2 * race->others_capacity : 32;
        race->others = vm_resize(race->others, race->others_capacity * sizeof *race->others);
    }
    race->others[race->nothers++] = entry;
}

void vm_race_begin(struct vm *vm)
{
    struct vm_race *race = &vm->race;
    if (race->order) {
        vm_order_begin(vm);
        return;
    }
    race->nmine = race->normal = race->nothers = 0;
    race->changed = false;
    struct vm_obj *o = vm->s.footprint ? vm_heap_get(&vm->heap, vm->s.footprint) : NULL;
    if (!o)
        return;
    for (uint32_t w = 0; w < vm_obj_words(o); w += VM_ENTRY_WORDS) {
        struct vm_range range = {
            .object = o->data[w + 1],
            .start = (uint32_t)(o->data[w + 2] >> 32),
            .end = (uint32_t)o->data[w + 2],
            .kind = (uint32_t)o->data[w + 3],
        };
        if (o->data[w] == vm->s.reg[VM_REG_USER])
            push_mine(race, range);
        else
            push_other(race, (struct vm_entry){o->data[w], range});
    }
    race->normal = race->nmine;
}

void vm_race_clear(struct vm *vm)
{
    if (vm->race.nmine) { /* none where orders are weaker: there not every access orders */
        vm->race.nmine = vm->race.normal = 0;
        vm->race.changed = true;
    }
}

void vm_race_pass(struct vm *vm, uint64_t p, bool gives)
{
    if (vm->race.order)
        vm_order_pass(vm, p, gives);
}

/* Orders an access that a function of the library has done; the fault, where instructions
 * access the same bytes and may still read older stores: it has stored without telling these.
 */
static enum vm_step order_large(struct vm *vm, uint64_t at)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, at);
    struct vm_large_access access;
    if (!o || (uint64_t)(uint32_t)at + sizeof access > o->size)
        return VM_STEP_NEXT;
    memcpy(&access, (const char *)o->data + (uint32_t)at, sizeof access);
    struct vm_event_of event = {.p = (uint64_t)access.object,
                                .size = (uint32_t)access.size,
                                .reads = access.reads,
                                .writes = access.writes,
                                .acquires = access.reads && access.acquires,
                                .releases = access.writes && access.releases,
                                .seq_cst = access.seq_cst};
    if (vm_order_has_values(vm) && vm_order_is_mixed(vm, event.p, event.size))
        return vm_refuse_mixed(vm, event.p, event.size, "of different sizes");
    if (vm_order_has_values(vm) && vm_order_has_stores(vm, event.p, event.size))
        return vm_refuse_mixed(vm, event.p, event.size, "by instructions and by calls");
    vm_order_large(vm, &event);
    return VM_STEP_NEXT;
}

int vm_race_told(struct vm *vm, uint64_t value, uint64_t op)
{
    if (!vm->race.order)
        return VM_STEP_NEXT;
    if (op == VM_ANDNOT)
        return order_large(vm, value);
    if (op != VM_OR)
        vm_race_pass(vm, value, op == VM_SET);
    else if (vm_order_has_values(vm))
        vm_order_see(vm, value, sizeof(int));
    return VM_STEP_NEXT;
}

void vm_race_call(struct vm *vm, enum vm_action action, uint64_t p)
{
    if (vm->race.order)
        vm_order_call(vm, action, p);
    else
        vm_race_clear(vm);
}

void vm_race_list(struct vm *vm, enum vm_action action)
{
    enum { CALLS = 16 }; /* bytes at the null pointer, which no other access has */
    bool learns;
    if (vm->race.order && vm_access_log_on(vm) && vm_order_is_general(action, &learns))
        vm_access_log_append(vm, 0, CALLS, learns, VM_ACCESS_KERNEL);
}

void vm_race_arrive(struct vm *vm, bool begins)
{
    if (vm->race.order)
        vm_order_arrive(vm, begins);
    if (!begins) /* as after a call that learns */
        vm_race_list(vm, VM_ACT_SYSCALL);
}

bool vm_race_is_open(const struct vm *vm, enum vm_action action, uint64_t p)
{
    if (vm->race.order)
        return vm_order_is_open(vm, action, p);
    return vm->race.nmine > 0;
}

void vm_race_ask_whole(struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    if (vm->race.order)
        vm_order_conflict(vm, p, size, write);
}

const struct vm_entry *vm_race_conflict(struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    vm_assert_not_late(vm);
    if (vm->race.order)
        return vm_order_conflict(vm, p, size, write);
    uint64_t object = vm_ptr_object(vm_address_space_place(vm, p));
    uint64_t start = (uint32_t)p, end = start + size;
    for (size_t k = 0; k < vm->race.nothers; k++) {
        const struct vm_range *r = &vm->race.others[k].range;
        if (r->object == object && r->start < end && start < r->end &&
            (write || r->kind == VM_WRITES))
            return &vm->race.others[k];
    }
    return NULL;
}

const struct vm_entry *vm_race_end_conflict(struct vm *vm, uint64_t p, uint64_t size)
{
    const struct vm_entry *e = vm_race_conflict(vm, p, size, true);
    return e || !vm->race.order ? e : vm_order_use(vm, p, size);
}

const struct vm_entry *vm_race_atomic(struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    return vm->race.order ? vm_order_unordered(vm, p, size, write) : NULL;
}

const char *vm_race_text(const struct vm_range *range)
{
    bool write = range->kind & VM_WRITES;
    if (range->kind & VM_USES)
        return "atomic access";
    if (range->kind & VM_ATOMICALLY)
        return write ? "atomic write" : "atomic read";
    return write ? "write" : "read";
}

static int compare(const void *x, const void *y)
{
    const struct vm_range *a = x, *b = y;
    if (a->kind != b->kind)
        return a->kind > b->kind ? -1 : 1; /* writes first */
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

static int compare_objects(const void *x, const void *y)
{
    const struct vm_range *a = x, *b = y;
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* Ranks objects by which was accessed first: their places may tell which of several threads
 * made one first. */
static void rank(struct vm_range *ranges, size_t n)
{
    for (size_t k = 0; k < n; k++)
        ranges[k].rank = (uint32_t)k;
    qsort(ranges, n, sizeof *ranges, compare_objects);
    for (size_t k = 1; k < n; k++)
        if (ranges[k].object == ranges[k - 1].object)
            ranges[k].rank = ranges[k - 1].rank;
}

/* Sorts and merges the ranges, keeps reads only of bytes that are not written, and leaves out
 * dead objects. */
static void normalise(struct vm *vm)
{
    struct vm_race *race = &vm->race;
    if (race->normal == race->nmine)
        return;
    rank(race->mine, race->nmine);
    qsort(race->mine, race->nmine, sizeof *race->mine, compare);
    size_t n = 0;
    for (size_t k = 0; k < race->nmine; k++) {
        struct vm_range r = race->mine[k];
        struct vm_range *last = n ? &race->mine[n - 1] : NULL;
        if (!vm_heap_part(&vm->heap, r.object, 0))
            continue;
        if (last && last->kind == r.kind && last->object == r.object && r.start <= last->end) {
            if (r.end > last->end)
                last->end = r.end;
            continue;
        }
        bool covered = false;
        for (size_t j = 0; j < n && r.kind == VM_READS && !covered; j++)
            covered = race->mine[j].kind == VM_WRITES && race->mine[j].object == r.object &&
                      race->mine[j].start <= r.start && r.end <= race->mine[j].end;
        if (!covered)
            race->mine[n++] = r;
    }
    race->nmine = race->normal = n;
}

void vm_race_add(struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    vm_assert_not_late(vm);
    struct vm_race *race = &vm->race;
    if (race->order) {
        vm_order_note(vm, p, size, write);
        return;
    }
    struct vm_range r = {
        .object = vm_ptr_object(vm_address_space_place(vm, p)),
        .start = (uint32_t)p,
        .end = (uint32_t)((uint32_t)p + size),
        .kind = write ? VM_WRITES : VM_READS,
    };
    size_t from = race->nmine > 8 ? race->nmine - 8 : 0;
    for (size_t k = race->nmine; k-- > from;) {
        struct vm_range *m = &race->mine[k];
        if (m->object != r.object || m->kind < r.kind)
            continue;
        if (m->start <= r.start && r.end <= m->end)
            return;
        if (m->kind == r.kind && k >= race->normal && r.start <= m->end && m->start <= r.end) {
            m->start = r.start < m->start ? r.start : m->start;
            m->end = r.end > m->end ? r.end : m->end;
            vm_note_access(vm, &r);
            race->changed = true;
            return;
        }
    }
    push_mine(race, r);
    vm_note_access(vm, &r);
    race->changed = true;
    if (race->nmine >= COMPACT_FROM && race->nmine >= 2 * race->normal)
        normalise(vm);
}

int vm_race_fault(struct vm *vm, const struct vm_entry *e, uint64_t p, uint64_t size,
                  const char *what)
{
    return vm_race_fault_as(vm, VM_FAULT_RACE, e, p, size, what);
}

int vm_race_fault_as(struct vm *vm, enum vm_fault_kind kind, const struct vm_entry *e,
                     uint64_t p, uint64_t size, const char *what)
{
    char object[256], here[256], there[256];
    struct vm_range both = e->range; /* may stand for several accesses: which one is met? */
    uint64_t end = (uint32_t)p + size;
    both.start = (uint32_t)p > both.start ? (uint32_t)p : both.start;
    both.end = end < both.end ? (uint32_t)end : both.end;
    if (kind == VM_FAULT_RACE)
        vm_describe_access(vm, p, size, object, sizeof object);
    else
        vm_describe(vm, p, object, sizeof object);
    vm_describe_site(vm, vm_told_site(vm), here, sizeof here);
    vm_describe_site(vm, vm_tell_access(vm, e->owner, &both), there, sizeof there);
    return vm_fault(vm, kind, "%s: %s (%s of %s) and %s (%s)", vm_fault_text(kind), here, what,
                    object, there, vm_race_text(&e->range));
}

static void write_entry(struct vm_obj *o, uint32_t entry, uint64_t owner,
                        const struct vm_range *r)
{
    uint32_t w = entry * VM_ENTRY_WORDS;
    uint64_t words[VM_ENTRY_WORDS] = {owner, r->object, (uint64_t)r->start << 32 | r->end,
                                      r->kind};
    for (uint32_t k = 0; k < VM_ENTRY_WORDS; k++) {
        o->data[w + k] = words[k];
        vm_obj_shadow(o)[w + k] = k < 2 ? 0xffff : 0x00ff;
    }
}

/* Drops the footprints of threads that have ended with another process. */
static void leave_out_ended(struct vm *vm)
{
    struct vm_race *race = &vm->race;
    size_t n = 0;
    for (size_t k = 0; k < race->nothers; k++)
        if (vm_heap_get(&vm->heap, race->others[k].owner))
            race->others[n++] = race->others[k];
    race->changed |= n != race->nothers;
    race->nothers = n;
}

/* Returns the number of the thread that a record is of: unlike the place of the record it does
 * not tell when the thread was made.  (What has a name need not be looked up.) */
static uint64_t number_of(const struct vm *vm, uint64_t owner)
{
    const struct vm_stable_ids *stable_ids = vm->heap.inchash.stable_ids;
    uint32_t id = stable_ids ? vm_stable_ids_at(stable_ids, vm_ptr_index(owner)) : 0;
    if (id && id < VM_THREAD_IDS)
        return id / 2;
    const struct vm_obj *o = vm_heap_get(&vm->heap, owner);
    return o && o->size >= sizeof(struct vm_trace_run) ? o->data[VM_TID_WORD] : 0;
}

static void write_back(struct vm *vm)
{
    struct vm_race *race = &vm->race;
    normalise(vm);
    size_t n = race->nmine + race->nothers;
    if (vm->s.footprint)
        vm_heap_free(&vm->heap, vm->s.footprint);
    vm->s.footprint = 0;
    if (n == 0)
        return;
    uint32_t size = (uint32_t)n * VM_ENTRY_WORDS * 8;
    vm->s.footprint = vm_heap_make_frame(&vm->heap, size, VM_FOOTPRINTS);
    struct vm_obj *o = vm_heap_get(&vm->heap, vm->s.footprint);
    uint64_t me = vm->s.reg[VM_REG_USER], number = number_of(vm, me);
    uint32_t entry = 0;
    size_t k = 0;
    for (; k < race->nothers && number_of(vm, race->others[k].owner) < number; k++)
        write_entry(o, entry++, race->others[k].owner, &race->others[k].range);
    for (size_t m = 0; m < race->nmine; m++)
        write_entry(o, entry++, me, &race->mine[m]);
    for (; k < race->nothers; k++)
        write_entry(o, entry++, race->others[k].owner, &race->others[k].range);
}

void vm_race_end(struct vm *vm)
{
    struct vm_race *race = &vm->race;
    if (race->order) {
        vm_order_end(vm);
        return;
    }
    if (vm->forks)
        leave_out_ended(vm);
    if (race->changed)
        write_back(vm);
    race->nmine = race->normal = race->nothers = 0;
    race->changed = false;
}

void vm_race_over(struct vm *vm)
{
    if (vm->race.order && vm->options.names)
        vm_order_reset(vm->race.order);
    if ((!vm->race.order && !vm->buffers) || !vm->s.footprint)
        return;
    vm_heap_free(&vm->heap, vm->s.footprint);
    vm->s.footprint = 0;
}

void vm_race_mark(const struct vm *vm, struct vm_race_mark *mark)
{
    *mark = (struct vm_race_mark){.nmine = vm->race.nmine, .changed = vm->race.changed};
    if (vm->race.order)
        mark->order = vm_order_copy(vm->race.order);
    mark->mine = mark->nmine ? vm_alloc(mark->nmine * sizeof *mark->mine) : NULL;
    if (mark->nmine)
        memcpy(mark->mine, vm->race.mine, mark->nmine * sizeof *mark->mine);
}

void vm_race_rollback(struct vm *vm, const struct vm_race_mark *mark)
{
    if (mark->order) {
        vm_order_restore(vm->race.order, mark->order);
        return;
    }
    vm_race_begin(vm);
    if (!mark->changed)
        return;
    vm->race.nmine = vm->race.normal = 0;
    vm->race.changed = mark->changed;
    for (size_t k = 0; k < mark->nmine; k++)
        push_mine(&vm->race, mark->mine[k]);
}

void vm_race_mark_fini(struct vm_race_mark *mark)
{
    if (mark->mine) /* hardly any has some, and free is asked for each mark */
        free(mark->mine);
    if (mark->order)
        vm_order_free(mark->order);
}

void vm_race_reset(struct vm_race *race)
{
    race->nmine = race->normal = race->nothers = 0;
    race->changed = false;
    if (race->order)
        vm_order_reset(race->order);
}
