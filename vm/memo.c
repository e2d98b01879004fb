/* memo.c - see memo.h. */
#include "memo.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "memory.h"
#include "ways.h"

enum part { NONE, START, CHOICE };

/* An object that a part of a transition has put somewhere; NULL: it has freed the one there. */
struct change {
    uint32_t at; /* the upper half of a pointer */
    struct vm_obj *o;
};

/* A word of an object that was not looked at as a whole. */
struct patch {
    uint32_t at, word;
    uint64_t value;
    uint16_t shadow;
};

/* What came of a part of a transition; counts and sums are what it added. */
struct known {
    bool at_end;  /* the transition has ended: as vm_flags says */
    bool summed;  /* false: the sum changes by more than that */
    bool visited; /* what is visited for a fingerprint is what it was */
    uint8_t ended;
    uint16_t nchanges, npatches;
    uint32_t instructions, nraw;
    uint64_t sum[2], footprint;
    struct counts *counts;   /* or NULL: unchanged */
    struct vm_scalars *s;    /* where threads are chosen; else all is as at each end */
    struct known *next;      /* of all */
    struct change changes[]; /* behind these, the patches */
};
struct counts {
    uint64_t settled_leak_sum, leak_sum, nheap, bytes;
    uint64_t end; /* of the heap, 0: it does not matter */
};

static struct patch *patches_of(const struct known *k)
{
    return (struct patch *)(k->changes + k->nchanges);
}

/* What the tree leads to beside a struct known: it has to be executed. */
enum { WHAT_UNKNOWN = 2 };

enum { PREFIX = 4 };

struct vm_memo {
    struct vm_ways ways;
    struct known *all;
    size_t bytes, max_bytes;
    enum part pending;
    uint32_t place;                   /* the choice that is taken */
    uint64_t state, scheduler, fault; /* registers with which all this is known */
    uint64_t thread;                  /* that is chosen */
    uint32_t prefix[PREFIX], nprefix; /* what is looked at in any case, before the tree */
    /* While it executes: */
    enum part part; /* that is noted */
    bool listed;    /* it has come to the list of threads */
    /* Where too little is known the effort is wasted for a while. */
    uint32_t tried, found, skip, pause;
#ifdef DIVM_DEBUG
    unsigned turn;
#endif
};

enum {
    WINDOW = 4096, /* so many are tried before it is looked at how many were known */
    ENOUGH = WINDOW / 4 * 3,
    LONGEST = 1 << 20, /* pause */
    BESIDE = 128       /* bytes of an object beside its contents, about */
};

struct vm_memo *vm_memo_new(size_t max_bytes)
{
    struct vm_memo *m = vm_alloc(sizeof *m);
    *m = (struct vm_memo){.max_bytes = max_bytes, .pause = WINDOW};
    return m;
}

static void forget(struct known *k)
{
    for (uint32_t c = 0; c < k->nchanges; c++)
        if (k->changes[c].o)
            vm_obj_release(k->changes[c].o);
    free(k->counts);
    free(k->s);
    free(k);
}

static void forget_all(struct vm_memo *m)
{
    for (struct known *k = m->all, *next; k; k = next) {
        next = k->next;
        forget(k);
    }
    vm_ways_clear(&m->ways);
    m->all = NULL;
    m->bytes = 0;
}

void vm_memo_free(struct vm_memo *m)
{
    if (m)
        forget_all(m);
    free(m);
}

size_t vm_memo_bytes(const struct vm_memo *m)
{
    return m ? m->bytes + vm_ways_bytes(&m->ways) : 0;
}

/* ---- learning ------------------------------------------------------------------------ */

static bool is_in_prefix(const struct vm_memo *m, const struct vm_look *look)
{
    for (uint32_t k = 0; k < m->nprefix; k++)
        if (m->prefix[k] == look->at && look->part == VM_LOOK_ALL)
            return true;
    return false;
}

/* The way of what was looked at, and what came of it. */
static void learn(struct vm_memo *m, const struct vm_veil *veil, uint64_t way, struct known *k)
{
    bool fits = true;
    for (uint32_t j = 0; fits && j < veil->n; j++) {
        if (is_in_prefix(m, &veil->at[j]))
            continue;
        fits = vm_ways_put_look(&m->ways, way, &veil->at[j]);
        way = vm_way_on(way, veil->at[j].label);
    }
    if (fits)
        vm_ways_put_leaf(&m->ways, way, k ? (uintptr_t)k : WHAT_UNKNOWN);
}

/* ---- executing ---------------------------------------------------------------------- */

static void begin(struct vm *vm, enum part part)
{
    if (part == START)
        vm_call_scheduler(vm);
    else
        vm_answer(vm, vm->memo->place);
}

static enum vm_stop execute(struct vm *vm, enum part part)
{
    begin(vm, part);
    return vm_interpret(vm);
}

/* What is there now, if the look was at all of it. */
static bool has_changed(const struct vm_heap *h, const struct vm_look *look,
                        struct vm_obj **now)
{
    if (!vm_look_is_object(look) || look->part != VM_LOOK_ALL)
        return false;
    *now = vm_heap_look(h, (uint64_t)look->at << 32);
    return *now != look->was;
}

static bool has_changed_word(const struct vm_heap *h, const struct vm_look *look,
                             struct patch *patch)
{
    if (!vm_look_is_object(look) || look->part < VM_LOOK_WORD ||
        vm_veil_saw_all(&h->veil, look->at))
        return false;
    const struct vm_obj *now = vm_heap_look(h, (uint64_t)look->at << 32);
    uint32_t w = look->part - VM_LOOK_WORD;
    *patch = (struct patch){look->at, w, now->data[w], vm_shadow(now, w)};
    return vm_look(h, look->at, look->part) != look->label;
}

/* There is nothing that has changed and was not looked at. */
struct changes {
    uint32_t whole, words;
};
static struct changes count_changes(const struct vm_heap *h)
{
    struct changes n = {0};
    struct vm_obj *now;
    struct patch patch;
    for (uint32_t j = 0; j < h->veil.n; j++) {
        n.whole += has_changed(h, &h->veil.at[j], &now);
        n.words += has_changed_word(h, &h->veil.at[j], &patch);
    }
    return n;
}

/* A reference of an object that was put somewhere. */
static struct vm_obj *keep(struct vm *vm, struct vm_obj *o)
{
    if (!o)
        return NULL;
    vm_heap_hash(&vm->heap, o);
    vm->memo->bytes += BESIDE + vm_obj_words(o) * 10;
    return vm_obj_retain(o);
}

static struct known *known_new(struct vm *vm)
{
    struct vm_heap *h = &vm->heap;
    struct changes n = count_changes(h);
    size_t size =
        sizeof(struct known) + n.whole * sizeof(struct change) + n.words * sizeof(struct patch);
    struct known *k = vm_alloc(size);
    *k = (struct known){.nchanges = (uint16_t)n.whole, .npatches = (uint16_t)n.words};
    struct change *change = k->changes;
    struct patch *to = patches_of(k), patch;
    vm->memo->bytes += size;
    for (uint32_t j = 0; j < h->veil.n; j++) {
        const struct vm_look *look = &h->veil.at[j];
        struct vm_obj *o;
        if (has_changed_word(h, look, &patch))
            *to++ = patch;
        else if (has_changed(h, look, &o))
            *change++ = (struct change){look->at, keep(vm, o)};
    }
    return k;
}

/* An object, or a page, of which words were changed.  False if it is not simple enough. */
static bool leave_out(const struct vm_heap *h, struct known *k, uint64_t p,
                      const struct vm_obj *was, const struct vm_obj *now)
{
    if (now->bits || (now->flags | was->flags) & VM_RAW)
        return false;
    k->summed &= vm_settled_add(&h->settled, p, now, -1, k->sum) &&
                 vm_settled_add(&h->settled, p, was, 1, k->sum);
    return true;
}

/* Of large globals, what was logged since. */
static bool leave_pages_out(const struct vm_heap *h, struct known *k, size_t since)
{
    bool simple = true;
    for (size_t j = since; j < h->nlog && simple; j++) {
        const struct vm_undo *u = &h->log[j];
        if (u->region == VM_PAGES)
            simple =
                leave_out(h, k, vm_ptr(VM_PAGES, u->index, 0), u->old, h->pages.obj[u->index]);
    }
    return simple;
}

/* The objects of which words are known come to the sum by themselves: each state has others
 * of them. */
static bool leave_patched_out(const struct vm_heap *h, struct known *k, size_t since)
{
    for (uint32_t j = 0; j < h->veil.n; j++) {
        const struct vm_look *look = &h->veil.at[j];
        bool first = true;
        for (uint32_t i = 0; i < j && first; i++)
            first = h->veil.at[i].at != look->at;
        if (!first || !vm_look_is_object(look) || look->part == VM_LOOK_ALL ||
            vm_veil_saw_all(&h->veil, look->at))
            continue;
        uint64_t p = (uint64_t)look->at << 32;
        const struct vm_obj *now = vm_heap_look(h, p), *was = look->was;
        if (now != was && !leave_out(h, k, p, was, now))
            return false;
    }
    return leave_pages_out(h, k, since);
}

/* Only the scheduler's own frame may be new where threads are chosen from. */
static struct known *know_choice(struct vm *vm)
{
    struct vm_heap *h = &vm->heap;
    vm_heap_close(h);
    struct changes n = count_changes(h);
    if (vm_veil_saw_all(&h->veil, VM_LOOK_END) || n.whole != 1 || n.words ||
        !vm_heap_look(h, vm_ptr(VM_ID_FRAME, 0, 0)))
        return NULL;
    struct known *k = known_new(vm);
    k->s = vm_alloc(sizeof *k->s);
    *k->s = vm->s;
    return k;
}

static bool has_registers(const struct vm_memo *m, const uint64_t *reg)
{
    return reg[VM_REG_STATE] == m->state && reg[VM_REG_SCHEDULER] == m->scheduler &&
           reg[VM_REG_FAULT] == m->fault;
}

/* since: what the log had when it began. */
static struct known *know_end(struct vm *vm, const struct vm_settled *before, size_t since)
{
    struct vm_heap *h = &vm->heap;
    struct vm_settled *s = &h->settled;
    const uint64_t *reg = vm->s.reg;
    if (vm->ended & ~VM_FLAG_END || vm->begins || vm_saw_address(vm) ||
        h->nnamed != before->nnamed || !has_registers(vm->memo, reg))
        return NULL;
    vm_clear_dead(vm);
    s->visited = true;
    vm_settled_update(h);
    vm_heap_close(h);
    struct known *k = known_new(vm);
    k->at_end = true;
    k->ended = (uint8_t)vm->ended;
    k->footprint = vm->s.footprint;
    k->summed = s->border == before->border;
    k->visited = s->visited;
    s->visited &= before->visited;
    for (unsigned i = 0; i < 2; i++)
        k->sum[i] = s->sum[i] - before->sum[i];
    k->nraw = s->nraw - before->nraw;
    if (leave_patched_out(h, k, since))
        return k;
    forget(k);
    return NULL;
}

static struct counts counts_of(const struct vm_heap *h)
{
    return (struct counts){h->settled.leak_sum, h->leak_sum, h->nheap, h->bytes,
                           h->table[VM_ID_HEAP].n};
}

static void note_counts(const struct vm_heap *h, const struct counts *before, struct known *k)
{
    struct counts now = counts_of(h);
    if (!memcmp(&now, before, sizeof now))
        return;
    k->counts = vm_alloc(sizeof *k->counts);
    *k->counts = (struct counts){now.settled_leak_sum - before->settled_leak_sum,
                                 now.leak_sum - before->leak_sum, now.nheap - before->nheap,
                                 now.bytes - before->bytes,
                                 vm_veil_saw_all(&h->veil, VM_LOOK_END) ? now.end : 0};
}

/* Executes, and notes what came of it. */
static enum vm_stop execute_noting(struct vm *vm, enum part part, uint64_t way)
{
    struct vm_memo *m = vm->memo;
    struct vm_heap *h = &vm->heap;
    /* The lists are the state's, which its owner has. */
    const struct vm_settled before = h->settled;
    const struct counts counts = counts_of(h);
    uint64_t instructions = vm->stats.instructions;
    size_t since = h->nlog;
    m->part = part;
    m->listed = false;
    vm_veil_draw(h);
    enum vm_stop stop = execute(vm, part);
    vm_veil_drop(h);
    m->part = NONE;
    if (vm_memo_bytes(m) > m->max_bytes)
        forget_all(m);
    struct known *k = NULL;
    if (!h->veil.torn && m->listed == (stop == VM_STOP_CHOOSE))
        k = stop == VM_STOP_END ? know_end(vm, &before, since) : know_choice(vm);
    if (k) {
        note_counts(h, &counts, k);
        k->instructions = (uint32_t)(vm->stats.instructions - instructions);
        k->next = m->all;
        m->all = k;
    }
    learn(m, &h->veil, way, k);
    return stop;
}

/* ---- repeating ------------------------------------------------------------------------ */

/* The choice is known, and how many have it: not who. */
static enum vm_stop list_threads(struct vm *vm)
{
    const struct vm_insn *i;
    const struct vm_function *f = vm_frame_function(vm, vm->s.frame, &i);
    assert(f && i->op == VM_OP_CHOOSE);
    (void)f;
    vm->nchoices++;
    vm->choice = (struct vm_choice){.scheduling = true};
    vm_find_candidates(vm, vm_heap_get(&vm->heap, vm->s.frame), i);
    vm->stop = VM_STOP_CHOOSE;
    if (vm->choice.n)
        return VM_STOP_CHOOSE;
    vm->stats.instructions--; /* it is executed now */
    return vm_interpret(vm);
}

static void write_patch(struct vm_heap *h, const struct patch *patch)
{
    uint64_t p = (uint64_t)patch->at << 32 | patch->word * 8;
    struct vm_obj *o = vm_heap_own_bytes(h, p, vm_heap_look(h, p), 8);
    vm_set(o, patch->word, patch->value, patch->shadow);
}

static void add_counts(struct vm_heap *h, const struct known *k)
{
    if (!k->counts)
        return;
    h->leak_sum += k->counts->leak_sum;
    h->nheap += k->counts->nheap;
    h->bytes += k->counts->bytes;
    if (k->counts->end) {
        h->table[VM_ID_HEAP].n = (uint32_t)k->counts->end;
        vm_table_reserve(&h->table[VM_ID_HEAP], h->table[VM_ID_HEAP].n);
    }
}

static void add_to_sum(struct vm_heap *h, const struct known *k)
{
    struct vm_settled *s = &h->settled;
    for (unsigned i = 0; i < 2; i++)
        s->sum[i] += k->sum[i];
    s->leak_sum += k->counts ? k->counts->settled_leak_sum : 0;
    s->nraw += k->nraw;
    s->visited &= k->visited;
    h->nsums++;
    h->nsummed = h->nlog;
}

/* As vm_end_transition leaves it. */
static void end_transition(struct vm *vm, const struct known *k)
{
    const struct vm_memo *m = vm->memo;
    vm->s = (struct vm_scalars){.footprint = k->footprint};
    vm->s.reg[VM_REG_STATE] = m->state;
    vm->s.reg[VM_REG_SCHEDULER] = m->scheduler;
    vm->s.reg[VM_REG_FAULT] = m->fault;
    vm->race.nmine = vm->race.normal = vm->race.nothers = 0;
    vm->race.changed = false;
    vm->ended = k->ended;
    vm->begins = false;
    vm->stop = VM_STOP_END;
}

static enum vm_stop repeat(struct vm *vm, const struct known *k)
{
    struct vm_heap *h = &vm->heap;
    const struct patch *patch = patches_of(k);
    vm->stats.repeated++;
    vm->stats.instructions += k->instructions;
    for (uint32_t c = 0; c < k->nchanges; c++)
        vm_heap_put(h, (uint64_t)k->changes[c].at << 32, k->changes[c].o);
    add_counts(h, k);
    if (!k->at_end) {
        vm->s = *k->s;
        vm->s.first_new = h->table[VM_ID_HEAP].n; /* nothing is made before the choice */
        return list_threads(vm);
    }
    if (k->summed)
        add_to_sum(h, k);
    for (uint32_t j = 0; j < k->npatches; j++)
        write_patch(h, &patch[j]);
    end_transition(vm, k);
    return VM_STOP_END;
}

#ifdef DIVM_DEBUG
/* What is known is what happens. */
static enum vm_stop compare(struct vm *vm, enum part part, const struct known *k)
{
    struct vm_heap *h = &vm->heap;
    const struct vm_settled before = h->settled;
    uint64_t instructions = vm->stats.instructions;
    enum vm_stop stop = execute(vm, part);
    if (stop == VM_STOP_END && !k->at_end)
        return stop; /* there was nobody to choose */
    assert(k->at_end == (stop == VM_STOP_END));
    assert(vm->stats.instructions - instructions == k->instructions);
    if (stop == VM_STOP_END) {
        vm_clear_dead(vm);
        vm_settled_update(h);
        for (unsigned i = 0; i < 2 && k->summed && !k->npatches; i++)
            assert(h->settled.sum[i] - before.sum[i] == k->sum[i]);
        assert(!k->summed || h->settled.border == before.border);
        assert(vm->ended == k->ended && !vm->begins);
    }
    vm_heap_close(h);
    for (uint32_t c = 0; c < k->nchanges; c++) {
        struct vm_obj *o = vm_heap_look(h, (uint64_t)k->changes[c].at << 32);
        if (o)
            vm_heap_hash(h, o);
        assert(!o == !k->changes[c].o && (!o || o->key == k->changes[c].o->key));
    }
    for (uint32_t j = 0; j < k->npatches; j++) {
        const struct patch *patch = &patches_of(k)[j];
        const struct vm_obj *o = vm_heap_look(h, (uint64_t)patch->at << 32);
        assert(o->data[patch->word] == patch->value);
        assert(vm_shadow(o, patch->word) == patch->shadow);
    }
    assert(!k->counts || !k->counts->end || k->counts->end == h->table[VM_ID_HEAP].n);
    assert(k->at_end ? vm->s.footprint == k->footprint && !vm->s.frame
                     : vm->s.frame == k->s->frame);
    assert(k->at_end ? has_registers(vm->memo, vm->s.reg)
                     : !memcmp(vm->s.reg, k->s->reg, sizeof vm->s.reg));
    return stop;
}
#endif

/* ---- from outside ------------------------------------------------------------------------ */

/* So far from the limit of memory that no part of a transition meets it: it makes few objects,
 * and those are small. */
static bool is_roomy(const struct vm *vm)
{
    enum { FRAME_BYTES = 1024 };
    size_t limit = vm->options.max_object_bytes;
    size_t room = (size_t)VM_LOOKS * VM_VEILED_SIZE;
    return vm->heap.bytes + (size_t)vm->heap.table[VM_ID_FRAME].n * FRAME_BYTES + room < limit;
}

/* The sum is the state's; at most the scheduler's frame has come since. */
static bool is_at_state(const struct vm_heap *h)
{
    for (size_t k = h->nsummed; k < h->nlog; k++)
        if (h->log[k].region != VM_ID_FRAME || h->log[k].index != 0)
            return false;
    return h->summed && h->settled.nnamed == h->nnamed;
}

static bool is_suited(struct vm *vm, enum part part)
{
    struct vm_memo *m = vm->memo;
    if (m->skip) {
        m->skip--;
        return false;
    }
    if (!is_at_state(&vm->heap) || !is_roomy(vm))
        return false;
    struct vm_obj *frame = part == CHOICE ? vm_heap_look(&vm->heap, vm->s.frame) : NULL;
    if (frame && !(frame->flags & VM_HASHED)) {
        vm_heap_close(&vm->heap);
        vm_obj_hash(frame);
    }
    return true;
}

/* In any case a part looks at the kernel's state; and when a thread was chosen, at the frame
 * that chose, the thread, and the frame in which it goes on. */
static void find_prefix(struct vm *vm, enum part part)
{
    struct vm_memo *m = vm->memo;
    m->nprefix = 0;
    m->prefix[m->nprefix++] = vm_ptr_id(m->state);
    if (part == START)
        return;
    const struct vm_obj *thread = vm_heap_look(&vm->heap, m->thread);
    struct vm_saved saved;
    m->prefix[m->nprefix++] = vm_ptr_id(vm->s.frame);
    m->prefix[m->nprefix++] = vm_ptr_id(m->thread);
    memcpy(&saved, (const char *)thread->data + (uint32_t)m->thread, sizeof saved);
    m->prefix[m->nprefix++] = vm_ptr_id((uint64_t)saved.frame);
}

/* What is no object, and may differ (the registers hardly ever do), and the prefix; 0 if that
 * is not to be told. */
static uint64_t way_of(struct vm *vm, enum part part)
{
    struct vm_memo *m = vm->memo;
    const struct vm_settled *s = &vm->heap.settled;
    const uint64_t *reg = vm->s.reg;
    if (!has_registers(m, reg)) {
        forget_all(m);
        m->state = reg[VM_REG_STATE];
        m->scheduler = reg[VM_REG_SCHEDULER];
        m->fault = reg[VM_REG_FAULT];
    }
    assert(part == START || vm->s.first_new == vm->heap.table[VM_ID_HEAP].n);
    assert(reg[VM_REG_FLAGS] == (part == START ? 0 : VM_FLAG_KERNEL));
    uint64_t way = vm_way_on(part << 1 | s->old, s->numbers ? s->numbers->hash : 0);
    way = vm_way_on(way ^ (uint64_t)vm->s.kernel_loops << 32, vm->s.loops ^ vm->s.footprint);
    if (part == CHOICE)
        way = vm_way_on(way, m->place);
    find_prefix(vm, part);
    for (uint32_t k = 0; k < m->nprefix; k++) {
        uint64_t label = vm_look(&vm->heap, m->prefix[k], VM_LOOK_ALL);
        if (!label)
            return 0;
        way = vm_way_on(way, label);
    }
    return way;
}

static void count_tries(struct vm_memo *m, bool found)
{
    m->found += found;
    if (++m->tried < WINDOW)
        return;
    if (m->found >= ENOUGH) {
        m->pause = WINDOW;
    } else {
        m->skip = m->pause;
        m->pause = m->pause < LONGEST ? 2 * m->pause : LONGEST;
    }
    m->tried = m->found = 0;
}

void vm_memo_start(struct vm *vm)
{
    vm->memo->pending = START;
}

void vm_memo_choose(struct vm *vm, uint32_t place, uint64_t thread)
{
    vm->memo->pending = CHOICE;
    vm->memo->place = place;
    vm->memo->thread = thread;
}

void vm_memo_list(struct vm *vm)
{
    struct vm_memo *m = vm->memo;
    if (m->part == START)
        vm_veil_drop(&vm->heap);
    else
        vm_veil_tear(&vm->heap);
    m->listed = true;
}

enum vm_stop vm_memo_run(struct vm *vm)
{
    struct vm_memo *m = vm->memo;
    enum part part = m->pending;
    m->pending = NONE;
    if (part == NONE)
        return vm_interpret(vm);
    if (!is_suited(vm, part))
        return execute(vm, part);
    uint64_t way = way_of(vm, part);
    if (!way)
        return execute(vm, part);
    uintptr_t what = vm_ways_find(&m->ways, &vm->heap, way);
    count_tries(m, what != 0 && what != WHAT_UNKNOWN);
    if (what == WHAT_UNKNOWN)
        return execute(vm, part);
    if (!what)
        return execute_noting(vm, part, way);
#ifdef DIVM_DEBUG
    if (++m->turn % 2)
        return compare(vm, part, (const struct known *)what);
#endif
    return repeat(vm, (const struct known *)what);
}
