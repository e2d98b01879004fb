/* predict.c - the fingerprints to which cached transitions lead, before they are taken.
 *
 * A cached transition tells how the sum of stable objects changes (inchash.h). The form of the
 * visited rest mostly stays the same; if not, it depends only on the rest before and on the
 * transition, and is remembered. So where most transitions lead to known states, their objects
 * need not be put in place. All choices of a state are predicted together, one step of each in
 * turn, so that memory that one of them waits for arrives while the others are computed. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "effect.h"
#include "vm/fingerprint/final.h"
#include "vm/heap/memory.h"

/* ---- what is visited ------------------------------------------------------------- */

/* The tag of the rest after a cached transition (forms.h). There is none (0) if the transition
 * brings an object into the frontier and knows only some of its words, since the other words
 * are visited, too. */
static uint64_t rest_tag(const struct vm_heap *h, const struct vm_effect *k)
{
    return k->visited || k->in_frontier ? 0 : vm_forms_tag(&h->inchash, (uintptr_t)k);
}

void vm_rest_begin(struct vm *vm, const struct vm_effect *k)
{
    vm_forms_begin(vm->forms, rest_tag(&vm->heap, k));
}

/* ---- fingerprints ---------------------------------------------------------------- */

static bool has_symmetric(const struct vm_inchash *s)
{
    return s->stable_ids && s->stable_ids->symmetric;
}

/* Finds the symmetric threads of this state, for all predictions from here. */
static void find_symmetric(struct vm *vm)
{
    if (has_symmetric(&vm->heap.inchash) && vm->heap.inchash.visited)
        vm_symmetry_find(&vm->tcache->symmetry, &vm->symmetry_terms, &vm->heap);
}

/* Predicts the successor's symmetric threads, and so the hash of its rest. */
static bool predict_symmetry(struct vm *vm, const struct vm_effect *k,
                             const struct vm_inchash *s)
{
    struct vm_tcache *m = vm->tcache;
    const struct vm_effect_word *word = vm_effect_words(k);
    vm_symmetry_copy(&m->symmetry_ahead, &m->symmetry, s->stable_ids->symmetric);
    for (uint32_t c = 0; c < k->nchanges; c++)
        vm_symmetry_change(&m->symmetry_ahead, &vm->symmetry_terms, &vm->heap,
                           (uint64_t)k->changes[c].at << 32, k->changes[c].o);
    for (uint32_t w = 0; w < k->nwords; w++)
        if (vm_symmetric_thread(s, vm_stable_id(s, (uint64_t)word[w].at << 32)))
            return false;
    vm_symmetry_sort(&m->symmetry_ahead, s->stable_ids->symmetric);
    return vm_forms_ranked(vm->forms, s, k->footprint, &m->symmetry_ahead, true);
}

static bool is_predictable(const struct vm_heap *h, const struct vm_effect *k)
{
    return (k->change == VM_SUM_ADDS || k->change == VM_SUM_PREDICTS) &&
           vm_effect_is_whole(h, k);
}

static bool predict(struct vm *vm, const struct vm_effect *k, struct vm_prediction *f)
{
    const struct vm_heap *h = &vm->heap;
    struct vm_inchash s = h->inchash;
    uint64_t leak_sum = h->leak_sum;
    assert(h->summed && !h->readset.recording); /* at most the scheduler's frame came since */
    if (!s.visited || !is_predictable(h, k))
        return false;
    if (!k->visited && !vm_forms_predict(vm->forms, rest_tag(h, k), &s))
        return false;
    for (unsigned i = 0; i < 2; i++)
        s.sum[i] += k->sum[i];
    s.nraw += k->nraw;
    if (k->counts) {
        s.leak_sum += k->counts->stable_leak_sum;
        leak_sum += k->counts->leak_sum;
    }
    f->flags = k->ended;
    f->instructions = k->instructions;
    if (!vm_has_symmetric_threads(vm, k->footprint))
        return vm_hash_predicted(&s, NULL, k->footprint, leak_sum, f->hash);
    return predict_symmetry(vm, k, &s) &&
           vm_hash_predicted(&s, &vm->tcache->symmetry_ahead, k->footprint, leak_sum, f->hash);
}

/* ---- looking ahead --------------------------------------------------------------- */

const struct vm_ahead *vm_ahead_at(const struct vm_tcache *m, uint32_t place)
{
    for (uint32_t k = 0; k < m->nahead; k++)
        if (m->ahead[k].place == place)
            return &m->ahead[k];
    return NULL;
}

/* Finds the effect of each choice. */
static void find_all(struct vm *vm)
{
    struct vm_tcache *m = vm->tcache;
    uint64_t path[VM_AHEAD];
    bool goes_on = true;
    for (uint32_t k = 0; k < m->nahead; k++)
        path[k] = m->ahead[k].path;
    for (bool first = true; goes_on; first = false) {
        goes_on = false;
        for (uint32_t k = 0; k < m->nahead; k++) {
            struct vm_ahead *a = &m->ahead[k];
            if (!path[k])
                continue;
            vm_may_write_choose(vm, a->thread);
            if (first || vm_trie_step(&m->trie, &vm->heap, &path[k], &a->what)) {
                vm_trie_prefetch(&m->trie, path[k]);
                goes_on = true;
            } else {
                __builtin_prefetch((const void *)a->what);
                path[k] = 0;
            }
        }
    }
}

static void find_paths(struct vm *vm, unsigned n)
{
    struct vm_tcache *m = vm->tcache;
    uint64_t path = vm_tcache_path(vm, VM_PHASE_CHOICE);
    for (unsigned k = 0; path && k < n; k++) {
        uint32_t place = vm->places[k];
        uint64_t thread = vm->candidates[k];
        m->ahead[m->nahead++] =
            (struct vm_ahead){.place = place,
                              .thread = thread,
                              .path = vm_tcache_path_on(vm, path, place, thread)};
    }
    if (m->trie.n)
        find_all(vm);
}

unsigned vm_predict_begin(struct vm *vm, unsigned n)
{
    struct vm_tcache *m = vm->tcache;
    if (n > VM_AHEAD)
        n = VM_AHEAD;
    if (!m || vm_leaves_out(vm, VM_CACHE_PREDICT) || !vm->s.scheduling ||
        m->phases_tried.skip || !vm_tcache_suits(vm, VM_PHASE_CHOICE))
        return 0;
    assert(!m->nahead && vm->choice.candidates);
    find_paths(vm, n);
    find_symmetric(vm);
    return m->nahead;
}

void vm_predict(struct vm *vm, unsigned k, struct vm_prediction *prediction)
{
    struct vm_tcache *m = vm->tcache;
    assert(k < m->nahead);
    uintptr_t what = m->ahead[k].what;
    prediction->known = what && what != VM_WHAT_UNKNOWN &&
                        predict(vm, (const struct vm_effect *)what, prediction);
#ifdef DIVM_DEBUG /* others are taken, and their fingerprints compared */
    prediction->known &= ++m->turn % 2;
#endif
}

void vm_skip(struct vm *vm, const struct vm_prediction *prediction)
{
    assert(prediction->known);
    vm->stats.repeated++;
    vm->stats.instructions += prediction->instructions;
    vm_effort_count(&vm->tcache->phases_tried, true, VM_ENOUGH_PHASES);
}

#ifdef DIVM_DEBUG
void vm_tcache_expect(struct vm *vm, const struct vm_effect *k)
{
    struct vm_prediction prediction;
    if (!vm->tcache->nahead) /* nobody has looked ahead */
        find_symmetric(vm);
    vm->expects = predict(vm, k, &prediction);
    memcpy(vm->expected, prediction.hash, sizeof prediction.hash);
}
#endif
