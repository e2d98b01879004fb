/* foretell.c - the fingerprints to which known transitions lead, before they are taken.
 *
 * The sum of a state changes by what is known (settled.h).  What is visited beside it mostly is
 * what it was; else it depends on that and on the transition, and is remembered.  So where
 * most transitions lead to states that were found before, their objects need not be put in
 * place.  All choices of a state are looked at together, a step of each in turn: so what one
 * has to wait for comes while the others are gone on with. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "vm/heap/memory.h"

/* ---- what is visited ------------------------------------------------------- */

/* The tag of what is visited after a known transition (forms.h); unless that brings an object
 * into the border of which it knows some words only: the others are visited, too. */
static uint64_t rest_tag(const struct vm_heap *h, const struct vm_known *k)
{
    return k->visited || k->bordered ? 0 : vm_forms_tag(&h->settled, (uintptr_t)k);
}

void vm_rest_begin(struct vm *vm, const struct vm_known *k)
{
    vm_forms_begin(vm->forms, rest_tag(&vm->heap, k));
}

/* ---- fingerprints ---------------------------------------------------------- */

static bool has_twins(const struct vm_settled *s)
{
    return s->numbers && s->numbers->twins;
}

/* As they are in this state, for all that is told from here. */
static void find_twins(struct vm *vm)
{
    if (has_twins(&vm->heap.settled) && vm->heap.settled.visited)
        vm_twins_find(&vm->memo->twins, &vm->twin_terms, &vm->heap);
}

/* What becomes of this state's twins, and so of what stands for the rest. */
static bool foretell_twins(struct vm *vm, const struct vm_known *k, const struct vm_settled *s)
{
    struct vm_memo *m = vm->memo;
    const struct vm_known_word *word = vm_known_words(k);
    vm_twins_copy(&m->twins_ahead, &m->twins, s->numbers->twins);
    for (uint32_t c = 0; c < k->nchanges; c++)
        vm_twins_change(&m->twins_ahead, &vm->twin_terms, &vm->heap,
                        (uint64_t)k->changes[c].at << 32, k->changes[c].o);
    for (uint32_t w = 0; w < k->nwords; w++)
        if (vm_twin_of(s, vm_settled_id(s, (uint64_t)word[w].at << 32)))
            return false;
    vm_twins_sort(&m->twins_ahead, s->numbers->twins);
    return vm_forms_ranked(vm->forms, s, k->footprint, &m->twins_ahead, true);
}

static bool foretell(struct vm *vm, const struct vm_known *k, struct vm_foretold *f)
{
    const struct vm_heap *h = &vm->heap;
    struct vm_settled s = h->settled;
    uint64_t leak_sum = h->leak_sum;
    if (!s.visited || !k->at_end || !k->foretells || !vm_known_is_whole(h, k))
        return false;
    if (!k->visited && !vm_forms_foretell(vm->forms, rest_tag(h, k), &s))
        return false;
    for (unsigned i = 0; i < 2; i++)
        s.sum[i] += k->sum[i];
    s.nraw += k->nraw;
    if (k->counts) {
        s.leak_sum += k->counts->settled_leak_sum;
        leak_sum += k->counts->leak_sum;
    }
    f->flags = k->ended;
    f->instructions = k->instructions;
    if (!has_twins(&s))
        return vm_hash_ahead(&s, NULL, k->footprint, leak_sum, f->hash);
    return foretell_twins(vm, k, &s) &&
           vm_hash_ahead(&s, &vm->memo->twins_ahead, k->footprint, leak_sum, f->hash);
}

/* ---- looking ahead --------------------------------------------------------- */

const struct vm_ahead *vm_ahead_at(const struct vm_memo *m, uint32_t place)
{
    for (uint32_t k = 0; k < m->nahead; k++)
        if (m->ahead[k].place == place)
            return &m->ahead[k];
    return NULL;
}

/* What comes of each choice. */
static void find_all(struct vm *vm)
{
    struct vm_memo *m = vm->memo;
    uint64_t way[VM_AHEAD];
    bool goes_on = true;
    for (uint32_t k = 0; k < m->nahead; k++)
        way[k] = m->ahead[k].way;
    for (bool first = true; goes_on; first = false) {
        goes_on = false;
        for (uint32_t k = 0; k < m->nahead; k++) {
            struct vm_ahead *a = &m->ahead[k];
            if (!way[k])
                continue;
            vm_future_choose(vm, a->thread);
            if (first || vm_ways_step(&m->ways, &vm->heap, &way[k], &a->what)) {
                vm_ways_prefetch(&m->ways, way[k]);
                goes_on = true;
            } else {
                __builtin_prefetch((const void *)a->what);
                way[k] = 0;
            }
        }
    }
}

static void find_ways(struct vm *vm, unsigned n)
{
    struct vm_memo *m = vm->memo;
    uint64_t way = vm_memo_way(vm, VM_PART_CHOICE);
    for (unsigned k = 0; way && k < n; k++) {
        uint32_t place = vm->places[k];
        uint64_t thread = vm->candidates[k];
        m->ahead[m->nahead++] = (struct vm_ahead){
            .place = place, .thread = thread, .way = vm_memo_way_on(vm, way, place, thread)};
    }
    if (m->ways.n)
        find_all(vm);
}

unsigned vm_look_ahead(struct vm *vm, unsigned n)
{
    struct vm_memo *m = vm->memo;
    if (n > VM_AHEAD)
        n = VM_AHEAD;
    if (!m || vm_leaves_out(vm, VM_CACHE_FORETELL) || !vm->s.scheduling ||
        m->parts_tried.skip || !vm_memo_suits(vm, VM_PART_CHOICE))
        return 0;
    assert(!m->nahead && vm->choice.candidates);
    find_ways(vm, n);
    find_twins(vm);
    return m->nahead;
}

void vm_foretell(struct vm *vm, unsigned k, struct vm_foretold *foretold)
{
    struct vm_memo *m = vm->memo;
    assert(k < m->nahead);
    uintptr_t what = m->ahead[k].what;
    foretold->told = what && what != VM_WHAT_UNKNOWN &&
                     foretell(vm, (const struct vm_known *)what, foretold);
#ifdef DIVM_DEBUG /* others are taken, and their fingerprints compared */
    foretold->told &= ++m->turn % 2;
#endif
}

void vm_leave_out(struct vm *vm, const struct vm_foretold *foretold)
{
    vm->stats.repeated++;
    vm->stats.instructions += foretold->instructions;
    vm_effort_count(&vm->memo->parts_tried, true, VM_ENOUGH_PARTS);
}

#ifdef DIVM_DEBUG
void vm_memo_expect(struct vm *vm, const struct vm_known *k)
{
    struct vm_foretold foretold;
    if (!vm->memo->nahead) /* nobody has looked ahead */
        find_twins(vm);
    vm->expects = foretell(vm, k, &foretold);
    memcpy(vm->expected, foretold.hash, sizeof foretold.hash);
}
#endif
