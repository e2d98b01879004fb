/* memo.c - see memo.h. */
#include "memo.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "memory.h"

enum part { NONE, START, CHOICE };

/* An object that a part of a transition has put somewhere; NULL: it has freed the one there. */
struct change {
    uint32_t at; /* the upper half of a pointer */
    struct vm_obj *o;
};

/* What came of a part of a transition; counts and sums are what it added. */
struct known {
    struct known *next; /* of all */
    struct vm_scalars s;
    enum vm_stop stop;
    uint64_t sum[2], settled_leak_sum, leak_sum, nheap, bytes, instructions;
    uint32_t nraw;
    uint32_t end; /* the heap's end, 0: it does not matter */
    bool summed;  /* false: the sum changes by more than that */
    bool visited; /* what is visited for a fingerprint is what it was */
    unsigned ended;
    uint32_t nchanges;
    struct change changes[];
};

/* A node of the tree, by the hash of the way to it. */
struct node {
    uint64_t way;
    uintptr_t what; /* 0: empty; WHAT_LOOK and what is looked at; a struct known; or: */
};
enum { WHAT_LOOK = 1, WHAT_UNKNOWN = 2 /* it has to be executed */ };

struct vm_memo {
    struct node *nodes;
    size_t n, capacity;
    struct known *all;
    size_t bytes, max_bytes;
    enum part pending;
    uint32_t place;                   /* the choice that is taken */
    uint64_t state, scheduler, fault; /* registers with which all this is known */
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
    FIRST_NODES = 1 << 12,
    BESIDE = 128 /* bytes of an object beside its contents, about */
};

struct vm_memo *vm_memo_new(size_t max_bytes)
{
    struct vm_memo *m = vm_alloc(sizeof *m);
    *m = (struct vm_memo){.max_bytes = max_bytes, .pause = WINDOW};
    return m;
}

static void forget_all(struct vm_memo *m)
{
    for (struct known *k = m->all, *next; k; k = next) {
        next = k->next;
        for (uint32_t c = 0; c < k->nchanges; c++)
            if (k->changes[c].o)
                vm_obj_release(k->changes[c].o);
        free(k);
    }
    free(m->nodes);
    m->all = NULL;
    m->nodes = NULL;
    m->n = m->capacity = m->bytes = 0;
}

void vm_memo_free(struct vm_memo *m)
{
    if (m)
        forget_all(m);
    free(m);
}

size_t vm_memo_bytes(const struct vm_memo *m)
{
    return m ? m->bytes : 0;
}

/* ---- the tree ---------------------------------------------------------------------- */

static struct node *node_at(const struct vm_memo *m, uint64_t way)
{
    size_t k = way & (m->capacity - 1);
    while (m->nodes[k].what && m->nodes[k].way != way)
        k = (k + 1) & (m->capacity - 1);
    return &m->nodes[k];
}

static uint64_t go(uint64_t way, uint64_t label)
{
    return vm_fold(way + label);
}

/* What is found at the end of the way that the state leads; 0 if it leads to nothing yet. */
static uintptr_t find(const struct vm_memo *m, const struct vm_heap *h, uint64_t way)
{
    if (!m->n)
        return 0;
    for (;;) {
        uintptr_t what = node_at(m, way)->what;
        if (!(what & WHAT_LOOK))
            return what;
        way = go(way, vm_look(h, (uint32_t)(what >> 32)));
    }
}

static void grow(struct vm_memo *m)
{
    struct node *old = m->nodes;
    size_t n = m->capacity;
    m->capacity = n ? 2 * n : FIRST_NODES;
    m->bytes += (m->capacity - n) * sizeof *old;
    m->nodes = vm_alloc(m->capacity * sizeof *m->nodes);
    memset(m->nodes, 0, m->capacity * sizeof *m->nodes);
    for (size_t k = 0; k < n; k++)
        if (old[k].what)
            *node_at(m, old[k].way) = old[k];
    free(old);
}

/* False if something else is there. */
static bool put(struct vm_memo *m, uint64_t way, uintptr_t what)
{
    if (4 * m->n >= 3 * m->capacity)
        grow(m);
    struct node *node = node_at(m, way);
    if (node->what)
        return node->what == what;
    *node = (struct node){way, what};
    m->n++;
    return true;
}

/* The way of what was looked at, and what came of it. */
static void learn(struct vm_memo *m, const struct vm_veil *veil, uint64_t way, struct known *k)
{
    bool fits = true;
    for (uint32_t j = 0; fits && j < veil->n; j++) {
        fits = put(m, way, (uintptr_t)veil->at[j].at << 32 | WHAT_LOOK);
        way = go(way, veil->at[j].label);
    }
    if (fits)
        put(m, way, k ? (uintptr_t)k : WHAT_UNKNOWN);
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

/* What the part has changed, of what it has looked at: there is nothing else. */
static uint32_t count_changes(struct vm_heap *h)
{
    uint32_t n = 0;
    for (uint32_t j = 0; j < h->veil.n; j++) {
        struct vm_look *look = &h->veil.at[j];
        if (look->at == VM_LOOK_END)
            continue;
        n += vm_heap_look(h, (uint64_t)look->at << 32) != look->was;
    }
    return n;
}

static struct known *known_new(struct vm *vm)
{
    struct vm_heap *h = &vm->heap;
    uint32_t n = count_changes(h);
    struct known *k = vm_alloc(sizeof *k + n * sizeof *k->changes);
    *k = (struct known){.s = vm->s, .stop = vm->stop};
    vm->memo->bytes += sizeof *k + n * sizeof *k->changes;
    for (uint32_t j = 0; j < h->veil.n; j++) {
        const struct vm_look *look = &h->veil.at[j];
        if (look->at == VM_LOOK_END) {
            k->end = h->table[VM_ID_HEAP].n;
            continue;
        }
        struct vm_obj *o = vm_heap_look(h, (uint64_t)look->at << 32);
        if (o == look->was)
            continue;
        k->changes[k->nchanges++] = (struct change){look->at, o};
        if (!o)
            continue;
        if (!(o->flags & VM_HASHED)) {
            vm_obj_hash(o);
            h->bytes_hashed += o->size;
        }
        vm_obj_retain(o);
        vm->memo->bytes += BESIDE + vm_obj_words(o) * 10;
    }
    return k;
}

static bool looked_at_end(const struct vm_veil *veil)
{
    for (uint32_t j = 0; j < veil->n; j++)
        if (veil->at[j].at == VM_LOOK_END)
            return true;
    return false;
}

/* Only the scheduler's own frame may be new where threads are chosen from. */
static struct known *know_choice(struct vm *vm)
{
    struct vm_heap *h = &vm->heap;
    vm_heap_close(h);
    if (looked_at_end(&h->veil) || count_changes(h) != 1 ||
        !vm_heap_look(h, vm_ptr(VM_ID_FRAME, 0, 0)))
        return NULL;
    return known_new(vm);
}

static struct known *know_end(struct vm *vm, const struct vm_settled *before)
{
    struct vm_heap *h = &vm->heap;
    struct vm_settled *s = &h->settled;
    if (vm->ended & ~VM_FLAG_END || vm->begins || vm_saw_address(vm) ||
        h->nnamed != before->nnamed)
        return NULL;
    vm_clear_dead(vm);
    s->visited = true;
    vm_settled_update(h);
    vm_heap_close(h);
    struct known *k = known_new(vm);
    k->ended = vm->ended;
    k->summed = s->border == before->border;
    k->visited = s->visited;
    s->visited &= before->visited;
    for (unsigned i = 0; i < 2; i++)
        k->sum[i] = s->sum[i] - before->sum[i];
    k->settled_leak_sum = s->leak_sum - before->leak_sum;
    k->nraw = s->nraw - before->nraw;
    return k;
}

/* Executes, and notes what came of it. */
static enum vm_stop execute_noting(struct vm *vm, enum part part, uint64_t way)
{
    struct vm_memo *m = vm->memo;
    struct vm_heap *h = &vm->heap;
    /* The lists are the state's, which its owner has. */
    const struct vm_settled before = h->settled;
    const struct vm_heap_mark counts = {
        .leak_sum = h->leak_sum, .nheap = h->nheap, .bytes = h->bytes};
    uint64_t instructions = vm->stats.instructions;
    m->part = part;
    m->listed = false;
    vm_veil_draw(h);
    enum vm_stop stop = execute(vm, part);
    vm_veil_drop(h);
    m->part = NONE;
    if (m->bytes > m->max_bytes)
        forget_all(m);
    struct known *k = NULL;
    if (!h->veil.torn && m->listed == (stop == VM_STOP_CHOOSE))
        k = stop == VM_STOP_END ? know_end(vm, &before) : know_choice(vm);
    if (k) {
        k->leak_sum = h->leak_sum - counts.leak_sum;
        k->nheap = h->nheap - counts.nheap;
        k->bytes = h->bytes - counts.bytes;
        k->instructions = vm->stats.instructions - instructions;
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

static void add_to_sum(struct vm_heap *h, const struct known *k)
{
    struct vm_settled *s = &h->settled;
    for (unsigned i = 0; i < 2; i++)
        s->sum[i] += k->sum[i];
    s->leak_sum += k->settled_leak_sum;
    s->nraw += k->nraw;
    s->visited &= k->visited;
    h->nsums++;
    h->nsummed = h->nlog;
}

static enum vm_stop repeat(struct vm *vm, const struct known *k)
{
    struct vm_heap *h = &vm->heap;
    vm->stats.repeated++;
    for (uint32_t c = 0; c < k->nchanges; c++)
        vm_heap_put(h, (uint64_t)k->changes[c].at << 32, k->changes[c].o);
    if (k->end) {
        vm_table_reserve(&h->table[VM_ID_HEAP], k->end);
        h->table[VM_ID_HEAP].n = k->end;
    }
    h->leak_sum += k->leak_sum;
    h->nheap += k->nheap;
    h->bytes += k->bytes;
    vm->s = k->s;
    vm->s.first_new = h->table[VM_ID_HEAP].n; /* the choice is before anything is made */
    vm->stats.instructions += k->instructions;
    if (k->stop == VM_STOP_CHOOSE)
        return list_threads(vm);
    if (k->summed)
        add_to_sum(h, k);
    vm->race.nmine = vm->race.normal = vm->race.nothers = 0;
    vm->race.changed = false;
    vm->ended = k->ended;
    vm->begins = false;
    vm->stop = VM_STOP_END;
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
    if (stop == VM_STOP_END && k->stop == VM_STOP_CHOOSE)
        return stop; /* there was nobody to choose */
    assert(stop == k->stop);
    assert(vm->stats.instructions - instructions == k->instructions);
    if (stop == VM_STOP_END) {
        vm_clear_dead(vm);
        vm_settled_update(h);
        assert(!k->summed || h->settled.sum[0] - before.sum[0] == k->sum[0]);
        assert(!k->summed || h->settled.sum[1] - before.sum[1] == k->sum[1]);
        assert(!k->summed || h->settled.border == before.border);
        assert(vm->ended == k->ended && !vm->begins);
    }
    vm_heap_close(h);
    for (uint32_t c = 0; c < k->nchanges; c++) {
        struct vm_obj *o = vm_heap_look(h, (uint64_t)k->changes[c].at << 32);
        if (o && !(o->flags & VM_HASHED))
            vm_obj_hash(o);
        assert(!o == !k->changes[c].o && (!o || o->key == k->changes[c].o->key));
    }
    assert(!k->end || k->end == h->table[VM_ID_HEAP].n);
    assert(vm->s.frame == k->s.frame && vm->s.footprint == k->s.footprint);
    assert(!memcmp(vm->s.reg, k->s.reg, sizeof vm->s.reg));
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

/* What is no object, and may differ; the registers hardly ever do. */
static uint64_t way_of(const struct vm *vm, enum part part)
{
    struct vm_memo *m = vm->memo;
    const struct vm_settled *s = &vm->heap.settled;
    const uint64_t *reg = vm->s.reg;
    if (reg[VM_REG_STATE] != m->state || reg[VM_REG_SCHEDULER] != m->scheduler ||
        reg[VM_REG_FAULT] != m->fault) {
        forget_all(m);
        m->state = reg[VM_REG_STATE];
        m->scheduler = reg[VM_REG_SCHEDULER];
        m->fault = reg[VM_REG_FAULT];
    }
    assert(part == START || vm->s.first_new == vm->heap.table[VM_ID_HEAP].n);
    assert(reg[VM_REG_FLAGS] == (part == START ? 0 : VM_FLAG_KERNEL));
    uint64_t way = go(part << 1 | s->old, s->numbers ? s->numbers->hash : 0);
    way = go(way ^ (uint64_t)vm->s.kernel_loops << 32, vm->s.loops ^ vm->s.footprint);
    return part == CHOICE ? go(way, m->place) : way;
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

void vm_memo_choose(struct vm *vm, uint32_t place)
{
    vm->memo->pending = CHOICE;
    vm->memo->place = place;
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
    uintptr_t what = find(m, &vm->heap, way);
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
