/* tcache.c - see tcache.h. */
#include "tcache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "effect.h"
#include "vm/exec/call.h"
#include "vm/exec/interp.h"
#include "vm/exec/register.h"
#include "vm/exec/transition.h"
#include "vm/fingerprint/final.h"
#include "vm/heap/memory.h"

enum { BESIDE = 128 /* bytes of an object beside its contents, about */ };

struct vm_tcache *vm_tcache_new(size_t max_bytes, struct vm_forms *forms)
{
    struct vm_tcache *m = vm_alloc(sizeof *m);
    *m = (struct vm_tcache){.max_bytes = max_bytes, .forms = forms};
    vm_effort_init(&m->phases_tried);
    return m;
}

static void forget(struct vm_effect *k)
{
    for (uint32_t c = 0; c < k->nchanges; c++)
        if (k->changes[c].o)
            vm_obj_release(k->changes[c].o);
    free(k->counts);
    free(k->s);
    free(k);
}

static void forget_all(struct vm_tcache *m)
{
    for (struct vm_effect *k = m->all, *next; k; k = next) {
        next = k->next;
        forget(k);
    }
    vm_trie_clear(&m->trie);
    vm_forms_forget(m->forms);
    m->nahead = 0;
    m->all = NULL;
    m->bytes = 0;
}

void vm_tcache_free(struct vm_tcache *m)
{
    if (m)
        forget_all(m);
    free(m);
}

size_t vm_tcache_bytes(const struct vm_tcache *m)
{
    return m ? m->bytes + vm_trie_bytes(&m->trie) + vm_forms_bytes(m->forms) : 0;
}

/* ---- learning -------------------------------------------------------------------- */

static bool is_in_prefix(const struct vm_tcache *m, const struct vm_read_entry *entry)
{
    for (uint32_t k = 0; k < m->nprefix; k++)
        if (m->prefix[k] == entry->at && entry->part == VM_READ_ALL)
            return true;
    return false;
}

/* Puts the path of what was read into the trie, and the effect at its end. */
static void learn(struct vm_tcache *m, const struct vm_readset *readset, uint64_t path,
                  struct vm_effect *k)
{
    bool fits = true;
    for (uint32_t j = 0; fits && j < readset->n; j++) {
        if (is_in_prefix(m, &readset->at[j]))
            continue;
        fits = vm_trie_put_read(&m->trie, path, &readset->at[j]);
        path = vm_trie_on(path, readset->at[j].label);
    }
    if (fits)
        vm_trie_put_leaf(&m->trie, path, k ? (uintptr_t)k : VM_WHAT_UNKNOWN);
}

/* ---- executing ------------------------------------------------------------------- */

static void begin(struct vm *vm, enum vm_phase phase)
{
    if (phase == VM_PHASE_START)
        vm_call_scheduler(vm);
    else
        vm_answer(vm, vm->tcache->place);
}

static enum vm_stop execute(struct vm *vm, enum vm_phase phase)
{
    begin(vm, phase);
    return vm_interpret(vm);
}

/* Has the object changed that is there now, all of which was read? */
static bool has_changed(const struct vm_heap *h, const struct vm_read_entry *entry,
                        struct vm_obj **now)
{
    if (!vm_read_is_object(entry) || entry->part != VM_READ_ALL)
        return false;
    *now = vm_heap_peek(h, (uint64_t)entry->at << 32);
    return *now != entry->was;
}

static bool has_changed_word(const struct vm_heap *h, const struct vm_read_entry *entry,
                             struct vm_effect_word *patch)
{
    if (!vm_read_is_object(entry) || entry->part < VM_READ_WORD ||
        vm_readset_has_all(&h->readset, entry->at))
        return false;
    const struct vm_obj *now = vm_heap_peek(h, (uint64_t)entry->at << 32);
    uint32_t w = entry->part - VM_READ_WORD;
    *patch = (struct vm_effect_word){entry->at, w, now->data[w], vm_shadow(now, w)};
    return vm_read_label(h, entry->at, entry->part) != entry->label;
}

/* A check that nothing has changed which was not read. */
struct changes {
    uint32_t whole, words;
};
static struct changes count_changes(const struct vm_heap *h)
{
    struct changes n = {0};
    struct vm_obj *now;
    struct vm_effect_word patch;
    for (uint32_t j = 0; j < h->readset.n; j++) {
        n.whole += has_changed(h, &h->readset.at[j], &now);
        n.words += has_changed_word(h, &h->readset.at[j], &patch);
    }
    return n;
}

/* Keeps a reference of an object that was put somewhere. */
static struct vm_obj *keep(struct vm *vm, struct vm_obj *o)
{
    if (!o)
        return NULL;
    vm_heap_hash(&vm->heap, o);
    vm->tcache->bytes += BESIDE + vm_obj_words(o) * 10;
    return vm_obj_retain(o);
}

static struct vm_effect *effect_new(struct vm *vm)
{
    struct vm_heap *h = &vm->heap;
    struct changes n = count_changes(h);
    size_t size = sizeof(struct vm_effect) + n.whole * sizeof(struct vm_effect_change) +
                  n.words * sizeof(struct vm_effect_word);
    struct vm_effect *k = vm_alloc(size);
    *k = (struct vm_effect){.nchanges = (uint16_t)n.whole, .nwords = (uint16_t)n.words};
    struct vm_effect_change *change = k->changes;
    struct vm_effect_word *to = vm_effect_words(k), patch;
    vm->tcache->bytes += size;
    for (uint32_t j = 0; j < h->readset.n; j++) {
        const struct vm_read_entry *entry = &h->readset.at[j];
        struct vm_obj *o;
        if (has_changed_word(h, entry, &patch))
            *to++ = patch;
        else if (has_changed(h, entry, &o))
            *change++ = (struct vm_effect_change){entry->at, keep(vm, o)};
    }
    return k;
}

static bool adds(const struct vm_effect *k)
{
    return k->change == VM_SUM_ADDS || k->change == VM_SUM_APART;
}

/* Called for an object, or a page, of which words were changed. */
typedef bool see_patched(const struct vm_heap *h, struct vm_effect *k, uint64_t p,
                         const struct vm_obj *was, const struct vm_obj *now);

static bool leave_out(const struct vm_heap *h, struct vm_effect *k, uint64_t p,
                      const struct vm_obj *was, const struct vm_obj *now)
{
    if (!vm_inchash_add(&h->inchash, p, now, -1, k->sum) ||
        !vm_inchash_add(&h->inchash, p, was, 1, k->sum))
        k->change = VM_SUM_UNKNOWN;
    return true;
}

/* Checks an object of which words changed; false if it is not simple enough.  In a sum of words
 * only the words that change matter: vm_effect_is_whole sees to it that the object is in no
 * frontier. */
static bool check_patched(const struct vm_heap *h, struct vm_effect *k, uint64_t p,
                          const struct vm_obj *was, const struct vm_obj *now)
{
    uint64_t id = vm_stable_id(&h->inchash, p);
    if (now->bits || (now->flags | was->flags) & VM_RAW)
        return false;
    bool in_frontier = vm_inchash_in_frontier(&h->inchash, p);
    k->in_frontier |= in_frontier;
    if (!vm_inchash_by_words(id, was) || !vm_inchash_by_words(id, now))
        k->change = adds(k) ? VM_SUM_APART : VM_SUM_UNKNOWN;
    else if (in_frontier)
        k->change = VM_SUM_UNKNOWN;
    return true;
}

/* Visits the pages of large globals that were logged since. */
static bool each_page(const struct vm_heap *h, struct vm_effect *k, size_t since,
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

static bool each_patched(const struct vm_heap *h, struct vm_effect *k, size_t since,
                         see_patched *see)
{
    for (uint32_t j = 0; j < h->readset.n; j++) {
        const struct vm_read_entry *entry = &h->readset.at[j];
        bool first = true;
        for (uint32_t i = 0; i < j && first; i++)
            first = h->readset.at[i].at != entry->at;
        if (!first || !vm_read_is_object(entry) || entry->part == VM_READ_ALL ||
            vm_readset_has_all(&h->readset, entry->at))
            continue;
        uint64_t p = (uint64_t)entry->at << 32;
        const struct vm_obj *now = vm_heap_peek(h, p), *was = entry->was;
        if (now != was && !see(h, k, p, was, now))
            return false;
    }
    return each_page(h, k, since, see);
}

/* Returns the effect of a phase that ends with the choice of a thread.  Only the scheduler's
 * own frame may be new there. */
static struct vm_effect *effect_of_choice(struct vm *vm)
{
    struct vm_heap *h = &vm->heap;
    vm_heap_close(h);
    struct changes n = count_changes(h);
    if (vm_readset_has_all(&h->readset, VM_READ_END) || n.whole != 1 || n.words ||
        !vm_heap_peek(h, vm_ptr(VM_ID_FRAME, 0, 0)))
        return NULL;
    struct vm_effect *k = effect_new(vm);
    k->s = vm_alloc(sizeof *k->s);
    *k->s = vm->s;
    return k;
}

static bool has_registers(const struct vm_tcache *m, const uint64_t *reg)
{
    return reg[VM_REG_STATE] == m->state && reg[VM_REG_SCHEDULER] == m->scheduler &&
           reg[VM_REG_FAULT] == m->fault;
}

/* Returns the effect of a phase that ends the transition.  since: the length of the log when it
 * began. */
static struct vm_effect *effect_of_end(struct vm *vm, const struct vm_inchash *before,
                                       size_t since)
{
    struct vm_heap *h = &vm->heap;
    struct vm_inchash *s = &h->inchash;
    const uint64_t *reg = vm->s.reg;
    if (vm->ended & ~VM_FLAG_END || vm->begins || vm_broken(vm) ||
        h->nstable != before->nstable || !has_registers(vm->tcache, reg))
        return NULL;
    s->visited = true;
    vm_make_final(vm);
    vm_heap_close(h);
    struct vm_effect *k = effect_new(vm);
    k->at_end = true;
    k->ended = (uint8_t)vm->ended;
    k->footprint = vm->s.footprint;
    k->change = s->frontier == before->frontier ? VM_SUM_ADDS : VM_SUM_PREDICTS;
    k->visited = s->visited;
    s->visited &= before->visited;
    for (unsigned i = 0; i < 2; i++)
        k->sum[i] = s->sum[i] - before->sum[i];
    k->nraw = s->nraw - before->nraw;
    if (!each_patched(h, k, since, check_patched)) {
        forget(k);
        return NULL;
    }
    if (k->change == VM_SUM_APART)
        each_patched(h, k, since, leave_out);
    return k;
}

static struct vm_effect_counts counts_of(const struct vm_heap *h)
{
    return (struct vm_effect_counts){h->inchash.leak_sum, h->leak_sum, h->nheap, h->bytes,
                                     h->table[VM_ID_HEAP].n};
}

static void note_counts(const struct vm_heap *h, const struct vm_effect_counts *before,
                        struct vm_effect *k)
{
    struct vm_effect_counts now = counts_of(h);
    if (!memcmp(&now, before, sizeof now))
        return;
    k->counts = vm_alloc(sizeof *k->counts);
    *k->counts = (struct vm_effect_counts){
        now.stable_leak_sum - before->stable_leak_sum, now.leak_sum - before->leak_sum,
        now.nheap - before->nheap, now.bytes - before->bytes,
        vm_readset_has_all(&h->readset, VM_READ_END) ? now.end : 0};
}

/* Returns the frame in which a thread goes on. */
static uint64_t frame_of(const struct vm *vm, uint64_t thread)
{
    const struct vm_obj *o = vm_heap_peek(&vm->heap, thread);
    struct vm_saved saved;
    memcpy(&saved, (const char *)o->data + (uint32_t)thread, sizeof saved);
    return (uint64_t)saved.frame;
}

/* Lists what each phase reads: the kernel's state; and when a thread was chosen, the frame that
 * chose, the thread, and the frame in which it goes on. */
static void find_prefix(struct vm *vm, enum vm_phase phase)
{
    struct vm_tcache *m = vm->tcache;
    m->nprefix = 0;
    m->prefix[m->nprefix++] = vm_ptr_id(m->state);
    if (phase == VM_PHASE_START)
        return;
    m->prefix[m->nprefix++] = vm_ptr_id(vm->s.frame);
    m->prefix[m->nprefix++] = vm_ptr_id(m->thread);
    m->prefix[m->nprefix++] = vm_ptr_id(frame_of(vm, m->thread));
}

/* Is the phase one that was never kept?  The end of the process, for instance, reads nearly all
 * there is: it is not worth noting. */
static bool is_hopeless(const struct vm_tcache *m, uint64_t path)
{
    enum { ENOUGH = 8 };
    const struct vm_hopeless *h = &m->hopeless[path % VM_HOPELESS];
    return h->path == path && h->times >= ENOUGH;
}

static void note_hope(struct vm_tcache *m, uint64_t path, bool any)
{
    struct vm_hopeless *h = &m->hopeless[path % VM_HOPELESS];
    if (h->path != path)
        *h = (struct vm_hopeless){.path = path};
    h->times = any ? 0 : h->times + 1;
}

/* Executes a phase and notes its effect. */
static enum vm_stop execute_noting(struct vm *vm, enum vm_phase phase, uint64_t path)
{
    struct vm_tcache *m = vm->tcache;
    struct vm_heap *h = &vm->heap;
    /* The lists are the state's, which its owner has. */
    const struct vm_inchash before = h->inchash;
    const struct vm_effect_counts counts = counts_of(h);
    uint64_t instructions = vm->stats.instructions;
    size_t since = h->nlog;
    find_prefix(vm, phase);
    vm_readset_begin(h, phase == VM_PHASE_START);
    enum vm_stop stop = execute(vm, phase);
    vm_readset_finish(h);
    if (stop == VM_STOP_HALTED)
        return stop;
    if (vm_tcache_bytes(m) > m->max_bytes)
        forget_all(m);
    struct vm_effect *k = NULL;
    if (!h->readset.aborted && h->readset.listed == (stop == VM_STOP_CHOOSE))
        k = stop == VM_STOP_END ? effect_of_end(vm, &before, since) : effect_of_choice(vm);
    if (k) {
        note_counts(h, &counts, k);
        k->instructions = (uint32_t)(vm->stats.instructions - instructions);
        k->next = m->all;
        m->all = k;
    }
    learn(m, &h->readset, path, k);
    note_hope(m, path, k);
    return stop;
}

/* ---- repeating ------------------------------------------------------------------- */

/* Does the choice of a thread: how many alternatives there are is known, but not which
 * threads. */
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

static void write_patch(struct vm_heap *h, const struct vm_effect_word *patch)
{
    uint64_t p = (uint64_t)patch->at << 32 | patch->word * 8;
    struct vm_obj *o = vm_heap_own_bytes(h, p, vm_heap_peek(h, p), 8);
    vm_set(o, patch->word, patch->value, patch->shadow);
}

/* An object of which words are changed must not be in the frontier because of words that the
 * cached transition does not know. */
bool vm_effect_is_whole(const struct vm_heap *h, const struct vm_effect *k)
{
    const struct vm_effect_word *patch = vm_effect_words(k);
    assert(k->at_end && !h->readset.recording);
    for (uint32_t j = 0; j < k->nwords; j++, patch++) {
        uint64_t p = (uint64_t)patch->at << 32;
        const struct vm_obj *o = vm_heap_peek(h, p);
        if (o->flags & VM_PAGED) {
            p = vm_ptr(VM_PAGES, o->link + patch->word * 8 / VM_PAGE, 0);
            o = h->pages.obj[vm_ptr_index(p)];
        }
        if (o->edges && vm_inchash_in_frontier(&h->inchash, p))
            return false;
    }
    return true;
}

static void write_patches(struct vm_heap *h, const struct vm_effect *k)
{
    const struct vm_effect_word *patch = vm_effect_words(k);
    for (uint32_t j = 0; j < k->nwords; j++)
        write_patch(h, &patch[j]);
}

/* Hashes the objects of which words change; the sum will have met them. */
static void hash_patched(struct vm_heap *h, const struct vm_effect *k)
{
    const struct vm_effect_word *patch = vm_effect_words(k);
    for (uint32_t j = 0; j < k->nwords; j++) {
        struct vm_obj *o = vm_heap_peek(h, (uint64_t)patch[j].at << 32);
        if (!(o->flags & VM_PAGED))
            vm_heap_hash(h, o);
    }
    vm_pages_make(h);
}

static void add_counts(struct vm_heap *h, const struct vm_effect *k)
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

static void add_to_sum(struct vm_heap *h, const struct vm_effect *k)
{
    struct vm_inchash *s = &h->inchash;
    for (unsigned i = 0; i < 2; i++)
        s->sum[i] += k->sum[i];
    s->leak_sum += k->counts ? k->counts->stable_leak_sum : 0;
    s->nraw += k->nraw;
    s->visited &= k->visited;
    h->nsums++;
    h->nsummed = h->nlog;
}

/* Ends the transition as vm_end_transition does. */
static void end_transition(struct vm *vm, const struct vm_effect *k)
{
    const struct vm_tcache *m = vm->tcache;
    vm->s = (struct vm_scalars){.footprint = k->footprint};
    vm->s.reg[VM_REG_STATE] = m->state;
    vm->s.reg[VM_REG_SCHEDULER] = m->scheduler;
    vm->s.reg[VM_REG_FAULT] = m->fault;
    vm_race_reset(&vm->race);
    vm->ended = k->ended;
    vm->begins = false;
    vm->stop = VM_STOP_END;
}

static enum vm_stop repeat(struct vm *vm, const struct vm_effect *k)
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
    bool apart = k->change == VM_SUM_APART;
    bool summed = apart || (k->change == VM_SUM_ADDS && vm_effect_is_whole(h, k));
    if (!apart)
        write_patches(h, k);
    if (summed && !apart)
        hash_patched(h, k);
    if (summed)
        add_to_sum(h, k);
    if (apart)
        write_patches(h, k);
    end_transition(vm, k);
    return VM_STOP_END;
}

#ifdef DIVM_DEBUG
/* Executes a phase whose effect is known, and asserts that it is the same. */
static enum vm_stop compare(struct vm *vm, enum vm_phase phase, const struct vm_effect *k)
{
    struct vm_heap *h = &vm->heap;
    const struct vm_inchash before = h->inchash;
    uint64_t instructions = vm->stats.instructions;
    bool summed = k->at_end && k->change == VM_SUM_ADDS && vm_effect_is_whole(h, k);
    enum vm_stop stop = execute(vm, phase);
    if ((stop == VM_STOP_END && !k->at_end) || stop == VM_STOP_HALTED)
        return stop; /* there was nobody to choose */
    assert(k->at_end == (stop == VM_STOP_END));
    assert(vm->stats.instructions - instructions == k->instructions);
    if (stop == VM_STOP_END) {
        vm_make_final(vm);
        for (unsigned i = 0; i < 2 && summed; i++)
            assert(h->inchash.sum[i] - before.sum[i] == k->sum[i]);
        assert(!adds(k) || h->sums_all || h->inchash.frontier == before.frontier);
        assert(vm->ended == k->ended && !vm->begins);
    }
    vm_heap_close(h);
    for (uint32_t c = 0; c < k->nchanges; c++) {
        struct vm_obj *o = vm_heap_peek(h, (uint64_t)k->changes[c].at << 32);
        if (o)
            vm_heap_hash(h, o);
        assert(!o == !k->changes[c].o && (!o || o->key == k->changes[c].o->key));
    }
    for (uint32_t j = 0; j < k->nwords; j++) {
        const struct vm_effect_word *patch = &vm_effect_words(k)[j];
        const struct vm_obj *o = vm_heap_peek(h, (uint64_t)patch->at << 32);
        assert(o->data[patch->word] == patch->value);
        assert(vm_shadow(o, patch->word) == patch->shadow);
    }
    assert(!k->counts || !k->counts->end || k->counts->end == h->table[VM_ID_HEAP].n);
    assert(k->at_end ? vm->s.footprint == k->footprint && !vm->s.frame
                     : vm->s.frame == k->s->frame);
    assert(k->at_end ? has_registers(vm->tcache, vm->s.reg)
                     : !memcmp(vm->s.reg, k->s->reg, sizeof vm->s.reg));
    return stop;
}
#endif

/* ---- from outside ---------------------------------------------------------------- */

/* Are the limits of memory so far away that no phase of a transition meets them?  A phase makes
 * few objects, and small ones. */
static bool is_roomy(const struct vm *vm)
{
    enum { FRAMES = 1024 * 1024, OBJECTS = 256 };
    return !vm_limit_met(vm, (size_t)VM_MAX_READS * (VM_READ_NEW_SIZE + OBJECTS) + FRAMES);
}

/* Is the sum the state's?  At most the scheduler's frame has come since. */
static bool is_at_state(const struct vm_heap *h)
{
    for (size_t k = h->nsummed; k < h->nlog; k++)
        if (h->log[k].region != VM_ID_FRAME || h->log[k].index != 0)
            return false;
    return h->summed && h->inchash.nstable == h->nstable;
}

bool vm_tcache_suits(struct vm *vm, enum vm_phase phase)
{
    if (!is_at_state(&vm->heap) || !is_roomy(vm))
        return false;
    struct vm_obj *frame =
        phase == VM_PHASE_CHOICE ? vm_heap_peek(&vm->heap, vm->s.frame) : NULL;
    if (frame && !(frame->flags & VM_HASHED)) {
        vm_heap_close(&vm->heap);
        vm_obj_hash(frame);
    }
    return true;
}

static uint64_t path_past(const struct vm *vm, uint64_t path, uint64_t p)
{
    uint64_t label = path ? vm_read_label(&vm->heap, vm_ptr_id(p), VM_READ_ALL) : 0;
    return label ? vm_trie_on(path, label) : 0;
}

/* Returns the path for what is no object and may differ (the registers hardly ever do), and for
 * the prefix. */
uint64_t vm_tcache_path(struct vm *vm, enum vm_phase phase)
{
    struct vm_tcache *m = vm->tcache;
    const struct vm_inchash *s = &vm->heap.inchash;
    const uint64_t *reg = vm->s.reg;
    if (!has_registers(m, reg)) {
        forget_all(m);
        m->state = reg[VM_REG_STATE];
        m->scheduler = reg[VM_REG_SCHEDULER];
        m->fault = reg[VM_REG_FAULT];
    }
    assert(phase == VM_PHASE_START || vm->s.first_new == vm->heap.table[VM_ID_HEAP].n);
    assert(reg[VM_REG_FLAGS] == (phase == VM_PHASE_START ? 0 : VM_FLAG_KERNEL));
    uint64_t path =
        vm_trie_on(phase << 1 | s->preconcurrent, s->stable_ids ? s->stable_ids->hash : 0);
    path = vm_trie_on(path ^ (uint64_t)vm->s.kernel_loops << 32, vm->s.loops ^ vm->s.footprint);
    path = path_past(vm, path, m->state);
    return phase == VM_PHASE_START ? path : path_past(vm, path, vm->s.frame);
}

uint64_t vm_tcache_path_on(const struct vm *vm, uint64_t path, uint32_t place, uint64_t thread)
{
    if (!path)
        return 0;
    path = path_past(vm, vm_trie_on(path, place), thread);
    return path ? path_past(vm, path, frame_of(vm, thread)) : 0;
}

void vm_tcache_start(struct vm *vm)
{
    vm->tcache->pending = VM_PHASE_START;
    vm->tcache->nahead = 0;
}

void vm_tcache_choose(struct vm *vm, uint32_t place, uint64_t thread)
{
    vm->tcache->pending = VM_PHASE_CHOICE;
    vm->tcache->place = place;
    vm->tcache->thread = thread;
}

/* Returns the leaf for the phase that begins here.  path: 0 if it is not known. */
static uintptr_t find(struct vm *vm, enum vm_phase phase, uint64_t *path)
{
    struct vm_tcache *m = vm->tcache;
    const struct vm_ahead *ahead = phase == VM_PHASE_CHOICE ? vm_ahead_at(m, m->place) : NULL;
    if (ahead) {
        *path = ahead->path;
        return ahead->what;
    }
    *path = vm_tcache_path(vm, phase);
    if (phase == VM_PHASE_CHOICE)
        *path = vm_tcache_path_on(vm, *path, m->place, m->thread);
    return *path ? vm_trie_find(&m->trie, &vm->heap, *path) : 0;
}

static enum vm_stop apply_effect(struct vm *vm, enum vm_phase phase, const struct vm_effect *k)
{
    if (phase == VM_PHASE_CHOICE)
        vm_rest_begin(vm, k);
#ifdef DIVM_DEBUG
    if (phase == VM_PHASE_CHOICE)
        vm_tcache_expect(vm, k);
    if (++vm->tcache->turn % 2)
        return compare(vm, phase, k);
#endif
    return repeat(vm, k);
}

enum vm_stop vm_tcache_run(struct vm *vm)
{
    struct vm_tcache *m = vm->tcache;
    enum vm_phase phase = m->pending;
    uint64_t path;
    m->pending = VM_PHASE_NONE;
    vm_forms_begin(vm->forms, 0);
    if (phase == VM_PHASE_NONE)
        return vm_interpret(vm);
    if (m->phases_tried.skip) {
        m->phases_tried.skip--;
        return execute(vm, phase);
    }
    if (!vm_tcache_suits(vm, phase))
        return execute(vm, phase);
    uintptr_t what = find(vm, phase, &path);
    if (!path)
        return execute(vm, phase);
    vm_effort_count(&m->phases_tried, what != 0 && what != VM_WHAT_UNKNOWN, VM_ENOUGH_PHASES);
    if (what == VM_WHAT_UNKNOWN || (!what && is_hopeless(m, path)))
        return execute(vm, phase);
    return what ? apply_effect(vm, phase, (const struct vm_effect *)what)
                : execute_noting(vm, phase, path);
}
