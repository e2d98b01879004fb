/* memo.c - see memo.h. */
#include "memo.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "vm/heap/memory.h"

enum { BESIDE = 128 /* bytes of an object beside its contents, about */ };

struct vm_memo *vm_memo_new(size_t max_bytes, struct vm_forms *forms)
{
    struct vm_memo *m = vm_alloc(sizeof *m);
    *m = (struct vm_memo){.max_bytes = max_bytes, .forms = forms};
    vm_effort_init(&m->parts_tried);
    return m;
}

static void forget(struct vm_known *k)
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
    for (struct vm_known *k = m->all, *next; k; k = next) {
        next = k->next;
        forget(k);
    }
    vm_ways_clear(&m->ways);
    vm_forms_forget(m->forms);
    m->nahead = 0;
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
    return m ? m->bytes + vm_ways_bytes(&m->ways) + vm_forms_bytes(m->forms) : 0;
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
static void learn(struct vm_memo *m, const struct vm_veil *veil, uint64_t way,
                  struct vm_known *k)
{
    bool fits = true;
    for (uint32_t j = 0; fits && j < veil->n; j++) {
        if (is_in_prefix(m, &veil->at[j]))
            continue;
        fits = vm_ways_put_look(&m->ways, way, &veil->at[j]);
        way = vm_way_on(way, veil->at[j].label);
    }
    if (fits)
        vm_ways_put_leaf(&m->ways, way, k ? (uintptr_t)k : VM_WHAT_UNKNOWN);
}

/* ---- executing ---------------------------------------------------------------------- */

static void begin(struct vm *vm, enum vm_part part)
{
    if (part == VM_PART_START)
        vm_call_scheduler(vm);
    else
        vm_answer(vm, vm->memo->place);
}

static enum vm_stop execute(struct vm *vm, enum vm_part part)
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
                             struct vm_known_word *patch)
{
    if (!vm_look_is_object(look) || look->part < VM_LOOK_WORD ||
        vm_veil_saw_all(&h->veil, look->at))
        return false;
    const struct vm_obj *now = vm_heap_look(h, (uint64_t)look->at << 32);
    uint32_t w = look->part - VM_LOOK_WORD;
    *patch = (struct vm_known_word){look->at, w, now->data[w], vm_shadow(now, w)};
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
    struct vm_known_word patch;
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

static struct vm_known *known_new(struct vm *vm)
{
    struct vm_heap *h = &vm->heap;
    struct changes n = count_changes(h);
    size_t size = sizeof(struct vm_known) + n.whole * sizeof(struct vm_known_change) +
                  n.words * sizeof(struct vm_known_word);
    struct vm_known *k = vm_alloc(size);
    *k = (struct vm_known){.nchanges = (uint16_t)n.whole, .nwords = (uint16_t)n.words};
    struct vm_known_change *change = k->changes;
    struct vm_known_word *to = vm_known_words(k), patch;
    vm->memo->bytes += size;
    for (uint32_t j = 0; j < h->veil.n; j++) {
        const struct vm_look *look = &h->veil.at[j];
        struct vm_obj *o;
        if (has_changed_word(h, look, &patch))
            *to++ = patch;
        else if (has_changed(h, look, &o))
            *change++ = (struct vm_known_change){look->at, keep(vm, o)};
    }
    return k;
}

/* An object, or a page, of which words were changed. */
typedef bool see_patched(const struct vm_heap *h, struct vm_known *k, uint64_t p,
                         const struct vm_obj *was, const struct vm_obj *now);

static bool leave_out(const struct vm_heap *h, struct vm_known *k, uint64_t p,
                      const struct vm_obj *was, const struct vm_obj *now)
{
    k->summed &= vm_settled_add(&h->settled, p, now, -1, k->sum) &&
                 vm_settled_add(&h->settled, p, was, 1, k->sum);
    return true;
}

/* False if it is not simple enough.  Of a sum of words only those that change matter: nowhere
 * is it in the border, that is seen to. */
static bool look_at_patched(const struct vm_heap *h, struct vm_known *k, uint64_t p,
                            const struct vm_obj *was, const struct vm_obj *now)
{
    uint64_t id = vm_settled_id(&h->settled, p);
    if (now->bits || (now->flags | was->flags) & VM_RAW)
        return false;
    bool in_border = vm_settled_in_border(&h->settled, p);
    k->bordered |= in_border;
    if (!vm_settled_by_words(id, was) || !vm_settled_by_words(id, now))
        k->apart = true;
    else if (in_border)
        k->summed = k->foretells = false;
    return true;
}

/* Of large globals, what was logged since. */
static bool each_page(const struct vm_heap *h, struct vm_known *k, size_t since,
                      see_patched *see)
{
    bool simple = true;
    for (size_t j = since; j < h->nlog && simple; j++) {
        const struct vm_undo *u = &h->log[j];
        if (u->region == VM_PAGES)
            simple = see(h, k, vm_ptr(VM_PAGES, u->index, 0), u->old, h->pages.obj[u->index]);
    }
    return simple;
}

static bool each_patched(const struct vm_heap *h, struct vm_known *k, size_t since,
                         see_patched *see)
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
        if (now != was && !see(h, k, p, was, now))
            return false;
    }
    return each_page(h, k, since, see);
}

/* Only the scheduler's own frame may be new where threads are chosen from. */
static struct vm_known *know_choice(struct vm *vm)
{
    struct vm_heap *h = &vm->heap;
    vm_heap_close(h);
    struct changes n = count_changes(h);
    if (vm_veil_saw_all(&h->veil, VM_LOOK_END) || n.whole != 1 || n.words ||
        !vm_heap_look(h, vm_ptr(VM_ID_FRAME, 0, 0)))
        return NULL;
    struct vm_known *k = known_new(vm);
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
static struct vm_known *know_end(struct vm *vm, const struct vm_settled *before, size_t since)
{
    struct vm_heap *h = &vm->heap;
    struct vm_settled *s = &h->settled;
    const uint64_t *reg = vm->s.reg;
    if (vm->ended & ~VM_FLAG_END || vm->begins || vm_broken(vm) ||
        h->nnamed != before->nnamed || !has_registers(vm->memo, reg))
        return NULL;
    vm_clear_dead(vm);
    s->visited = true;
    vm_settled_update(h);
    vm_heap_close(h);
    struct vm_known *k = known_new(vm);
    k->at_end = true;
    k->ended = (uint8_t)vm->ended;
    k->footprint = vm->s.footprint;
    k->summed = s->border == before->border;
    k->foretells = true;
    k->visited = s->visited;
    s->visited &= before->visited;
    for (unsigned i = 0; i < 2; i++)
        k->sum[i] = s->sum[i] - before->sum[i];
    k->nraw = s->nraw - before->nraw;
    if (!each_patched(h, k, since, look_at_patched)) {
        forget(k);
        return NULL;
    }
    if (k->apart) {
        k->foretells = false;
        each_patched(h, k, since, leave_out);
    }
    return k;
}

static struct vm_known_counts counts_of(const struct vm_heap *h)
{
    return (struct vm_known_counts){h->settled.leak_sum, h->leak_sum, h->nheap, h->bytes,
                                    h->table[VM_ID_HEAP].n};
}

static void note_counts(const struct vm_heap *h, const struct vm_known_counts *before,
                        struct vm_known *k)
{
    struct vm_known_counts now = counts_of(h);
    if (!memcmp(&now, before, sizeof now))
        return;
    k->counts = vm_alloc(sizeof *k->counts);
    *k->counts = (struct vm_known_counts){now.settled_leak_sum - before->settled_leak_sum,
                                          now.leak_sum - before->leak_sum,
                                          now.nheap - before->nheap, now.bytes - before->bytes,
                                          vm_veil_saw_all(&h->veil, VM_LOOK_END) ? now.end : 0};
}

/* Where a thread goes on. */
static uint64_t frame_of(const struct vm *vm, uint64_t thread)
{
    const struct vm_obj *o = vm_heap_look(&vm->heap, thread);
    struct vm_saved saved;
    memcpy(&saved, (const char *)o->data + (uint32_t)thread, sizeof saved);
    return (uint64_t)saved.frame;
}

/* In any case a part looks at the kernel's state; and when a thread was chosen, at the frame
 * that chose, the thread, and the frame in which it goes on. */
static void find_prefix(struct vm *vm, enum vm_part part)
{
    struct vm_memo *m = vm->memo;
    m->nprefix = 0;
    m->prefix[m->nprefix++] = vm_ptr_id(m->state);
    if (part == VM_PART_START)
        return;
    m->prefix[m->nprefix++] = vm_ptr_id(vm->s.frame);
    m->prefix[m->nprefix++] = vm_ptr_id(m->thread);
    m->prefix[m->nprefix++] = vm_ptr_id(frame_of(vm, m->thread));
}

/* Such as the end of the process, which looks at nearly all there is: it is not worth noting.
 */
static bool is_hopeless(const struct vm_memo *m, uint64_t way)
{
    enum { ENOUGH = 8 };
    const struct vm_hopeless *h = &m->hopeless[way % VM_HOPELESS];
    return h->way == way && h->times >= ENOUGH;
}

static void note_hope(struct vm_memo *m, uint64_t way, bool any)
{
    struct vm_hopeless *h = &m->hopeless[way % VM_HOPELESS];
    if (h->way != way)
        *h = (struct vm_hopeless){.way = way};
    h->times = any ? 0 : h->times + 1;
}

/* Executes, and notes what came of it. */
static enum vm_stop execute_noting(struct vm *vm, enum vm_part part, uint64_t way)
{
    struct vm_memo *m = vm->memo;
    struct vm_heap *h = &vm->heap;
    /* The lists are the state's, which its owner has. */
    const struct vm_settled before = h->settled;
    const struct vm_known_counts counts = counts_of(h);
    uint64_t instructions = vm->stats.instructions;
    size_t since = h->nlog;
    find_prefix(vm, part);
    vm_veil_draw(h, part == VM_PART_START);
    enum vm_stop stop = execute(vm, part);
    vm_veil_drop(h);
    if (stop == VM_STOP_HALTED)
        return stop;
    if (vm_memo_bytes(m) > m->max_bytes)
        forget_all(m);
    struct vm_known *k = NULL;
    if (!h->veil.torn && h->veil.listed == (stop == VM_STOP_CHOOSE))
        k = stop == VM_STOP_END ? know_end(vm, &before, since) : know_choice(vm);
    if (k) {
        note_counts(h, &counts, k);
        k->instructions = (uint32_t)(vm->stats.instructions - instructions);
        k->next = m->all;
        m->all = k;
    }
    learn(m, &h->veil, way, k);
    note_hope(m, way, k);
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

static void write_patch(struct vm_heap *h, const struct vm_known_word *patch)
{
    uint64_t p = (uint64_t)patch->at << 32 | patch->word * 8;
    struct vm_obj *o = vm_heap_own_bytes(h, p, vm_heap_look(h, p), 8);
    vm_set(o, patch->word, patch->value, patch->shadow);
}

/* Other words than those that are known may keep them in the border. */
bool vm_known_is_whole(const struct vm_heap *h, const struct vm_known *k)
{
    const struct vm_known_word *patch = vm_known_words(k);
    for (uint32_t j = 0; j < k->nwords; j++, patch++) {
        uint64_t p = (uint64_t)patch->at << 32;
        const struct vm_obj *o = vm_heap_look(h, p);
        if (o->flags & VM_PAGED) {
            p = vm_ptr(VM_PAGES, o->link + patch->word * 8 / VM_PAGE, 0);
            o = h->pages.obj[vm_ptr_index(p)];
        }
        if (o->edges && vm_settled_in_border(&h->settled, p))
            return false;
    }
    return true;
}

static void write_patches(struct vm_heap *h, const struct vm_known *k)
{
    const struct vm_known_word *patch = vm_known_words(k);
    for (uint32_t j = 0; j < k->nwords; j++)
        write_patch(h, &patch[j]);
}

/* The sum will have met them. */
static void hash_patched(struct vm_heap *h, const struct vm_known *k)
{
    const struct vm_known_word *patch = vm_known_words(k);
    for (uint32_t j = 0; j < k->nwords; j++) {
        struct vm_obj *o = vm_heap_look(h, (uint64_t)patch[j].at << 32);
        if (!(o->flags & VM_PAGED))
            vm_heap_hash(h, o);
    }
    vm_pages_make(h);
}

static void add_counts(struct vm_heap *h, const struct vm_known *k)
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

static void add_to_sum(struct vm_heap *h, const struct vm_known *k)
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
static void end_transition(struct vm *vm, const struct vm_known *k)
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

static enum vm_stop repeat(struct vm *vm, const struct vm_known *k)
{
    struct vm_heap *h = &vm->heap;
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
    bool summed = k->summed && (k->apart || vm_known_is_whole(h, k));
    if (!k->apart)
        write_patches(h, k);
    if (summed && !k->apart)
        hash_patched(h, k);
    if (summed)
        add_to_sum(h, k);
    if (k->apart)
        write_patches(h, k);
    end_transition(vm, k);
    return VM_STOP_END;
}

#ifdef DIVM_DEBUG
/* What is known is what happens. */
static enum vm_stop compare(struct vm *vm, enum vm_part part, const struct vm_known *k)
{
    struct vm_heap *h = &vm->heap;
    const struct vm_settled before = h->settled;
    uint64_t instructions = vm->stats.instructions;
    bool summed = k->at_end && k->summed && !k->apart && vm_known_is_whole(h, k);
    enum vm_stop stop = execute(vm, part);
    if ((stop == VM_STOP_END && !k->at_end) || stop == VM_STOP_HALTED)
        return stop; /* there was nobody to choose */
    assert(k->at_end == (stop == VM_STOP_END));
    assert(vm->stats.instructions - instructions == k->instructions);
    if (stop == VM_STOP_END) {
        vm_clear_dead(vm);
        vm_settled_update(h);
        for (unsigned i = 0; i < 2 && summed; i++)
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
    for (uint32_t j = 0; j < k->nwords; j++) {
        const struct vm_known_word *patch = &vm_known_words(k)[j];
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

/* So far from the limits of memory that no part of a transition meets them: it makes few
 * objects, and those are small. */
static bool is_roomy(const struct vm *vm)
{
    enum { FRAMES = 1024 * 1024, OBJECTS = 256 };
    return !vm_limit_met(vm, (size_t)VM_LOOKS * (VM_VEILED_SIZE + OBJECTS) + FRAMES);
}

/* The sum is the state's; at most the scheduler's frame has come since. */
static bool is_at_state(const struct vm_heap *h)
{
    for (size_t k = h->nsummed; k < h->nlog; k++)
        if (h->log[k].region != VM_ID_FRAME || h->log[k].index != 0)
            return false;
    return h->summed && h->settled.nnamed == h->nnamed;
}

bool vm_memo_suits(struct vm *vm, enum vm_part part)
{
    if (!is_at_state(&vm->heap) || !is_roomy(vm))
        return false;
    struct vm_obj *frame = part == VM_PART_CHOICE ? vm_heap_look(&vm->heap, vm->s.frame) : NULL;
    if (frame && !(frame->flags & VM_HASHED)) {
        vm_heap_close(&vm->heap);
        vm_obj_hash(frame);
    }
    return true;
}

static uint64_t way_past(const struct vm *vm, uint64_t way, uint64_t p)
{
    uint64_t label = way ? vm_look(&vm->heap, vm_ptr_id(p), VM_LOOK_ALL) : 0;
    return label ? vm_way_on(way, label) : 0;
}

/* What is no object, and may differ (the registers hardly ever do), and the prefix. */
uint64_t vm_memo_way(struct vm *vm, enum vm_part part)
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
    assert(part == VM_PART_START || vm->s.first_new == vm->heap.table[VM_ID_HEAP].n);
    assert(reg[VM_REG_FLAGS] == (part == VM_PART_START ? 0 : VM_FLAG_KERNEL));
    uint64_t way = vm_way_on(part << 1 | s->old, s->numbers ? s->numbers->hash : 0);
    way = vm_way_on(way ^ (uint64_t)vm->s.kernel_loops << 32, vm->s.loops ^ vm->s.footprint);
    way = way_past(vm, way, m->state);
    return part == VM_PART_START ? way : way_past(vm, way, vm->s.frame);
}

uint64_t vm_memo_way_on(const struct vm *vm, uint64_t way, uint32_t place, uint64_t thread)
{
    if (!way)
        return 0;
    way = way_past(vm, vm_way_on(way, place), thread);
    return way ? way_past(vm, way, frame_of(vm, thread)) : 0;
}

void vm_memo_start(struct vm *vm)
{
    vm->memo->pending = VM_PART_START;
    vm->memo->nahead = 0;
}

void vm_memo_choose(struct vm *vm, uint32_t place, uint64_t thread)
{
    vm->memo->pending = VM_PART_CHOICE;
    vm->memo->place = place;
    vm->memo->thread = thread;
}

/* Of the part that begins here.  way: 0 if it is not to be told. */
static uintptr_t find(struct vm *vm, enum vm_part part, uint64_t *way)
{
    struct vm_memo *m = vm->memo;
    const struct vm_ahead *ahead = part == VM_PART_CHOICE ? vm_ahead_at(m, m->place) : NULL;
    if (ahead) {
        *way = ahead->way;
        return ahead->what;
    }
    *way = vm_memo_way(vm, part);
    if (part == VM_PART_CHOICE)
        *way = vm_memo_way_on(vm, *way, m->place, m->thread);
    return *way ? vm_ways_find(&m->ways, &vm->heap, *way) : 0;
}

static enum vm_stop go_known(struct vm *vm, enum vm_part part, const struct vm_known *k)
{
    if (part == VM_PART_CHOICE)
        vm_rest_begin(vm, k);
#ifdef DIVM_DEBUG
    if (part == VM_PART_CHOICE)
        vm_memo_expect(vm, k);
    if (++vm->memo->turn % 2)
        return compare(vm, part, k);
#endif
    return repeat(vm, k);
}

enum vm_stop vm_memo_run(struct vm *vm)
{
    struct vm_memo *m = vm->memo;
    enum vm_part part = m->pending;
    uint64_t way;
    m->pending = VM_PART_NONE;
    vm_forms_begin(vm->forms, 0);
    if (part == VM_PART_NONE)
        return vm_interpret(vm);
    if (m->parts_tried.skip) {
        m->parts_tried.skip--;
        return execute(vm, part);
    }
    if (!vm_memo_suits(vm, part))
        return execute(vm, part);
    uintptr_t what = find(vm, part, &way);
    if (!way)
        return execute(vm, part);
    vm_effort_count(&m->parts_tried, what != 0 && what != VM_WHAT_UNKNOWN, VM_ENOUGH_PARTS);
    if (what == VM_WHAT_UNKNOWN || (!what && is_hopeless(m, way)))
        return execute(vm, part);
    return what ? go_known(vm, part, (const struct vm_known *)what)
                : execute_noting(vm, part, way);
}
