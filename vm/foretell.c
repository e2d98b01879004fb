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
#include "memory.h"

enum { RESTS = 1 << 15, RANKED = 1 << 14 };

/* ---- what is visited ------------------------------------------------------- */

/* The tag of what is visited after a known transition.  It depends on all that was visited
 * before, not only as far as its hash tells, and on the transition; unless that brings an
 * object into the border of which it knows some words only: the others are visited, too.  0:
 * there is none. */
static uint64_t rest_tag(const struct vm_heap *h, const struct vm_known *k)
{
    const struct vm_settled *s = &h->settled;
    if (!s->visited || k->visited || k->bordered)
        return 0;
    return vm_fold(s->rest[0] ^ vm_fold(s->rest_keys ^ vm_fold((uintptr_t)k)));
}

static struct vm_rest *rest_at(const struct vm_memo *m, uint64_t tag)
{
    return &m->rests[tag % RESTS];
}

static void put_rest(struct vm_settled *s, const struct vm_rest *rest)
{
    memcpy(s->rest, rest->hash, sizeof s->rest);
    s->rest_leak_sum = rest->leak_sum;
    s->rest_keys = rest->keys;
}

static bool foretell_rest(struct vm_memo *m, uint64_t tag, struct vm_settled *s)
{
    if (!tag || m->rests_tried.skip)
        return false;
    bool found = m->rests && rest_at(m, tag)->tag == tag;
    vm_effort_count(&m->rests_tried, found, VM_ENOUGH_RESTS);
    if (!found)
        return false;
    put_rest(s, rest_at(m, tag));
    return true;
}

void vm_rest_begin(struct vm *vm, const struct vm_known *k)
{
    vm->memo->rest_tag = vm_leaves_out(vm, VM_CACHE_VISITED) ? 0 : rest_tag(&vm->heap, k);
}

static void note_rest(struct vm_memo *m, const struct vm_settled *s)
{
    uint64_t tag = m->rest_tag;
    m->rest_tag = 0;
    if (!tag || !s->visited)
        return;
    if (m->rests_tried.skip) {
        m->rests_tried.skip--;
        return;
    }
    if (!m->rests)
        m->rests = vm_zeros(RESTS, sizeof *m->rests);
    *rest_at(m, tag) =
        (struct vm_rest){tag, {s->rest[0], s->rest[1]}, s->rest_leak_sum, s->rest_keys};
}

bool vm_memo_rest(struct vm *vm)
{
    const struct vm_memo *m = vm->memo;
    struct vm_settled *s = &vm->heap.settled;
    if (!m || !m->rest_tag || !m->rests || rest_at(m, m->rest_tag)->tag != m->rest_tag)
        return false;
    put_rest(s, rest_at(m, m->rest_tag));
    s->visited = !s->nraw;
    return true;
}

/* ---- by the order of twins --------------------------------------------------- */

static struct vm_ranked *ranked_at(const struct vm_memo *m, uint64_t tag)
{
    return &m->ranked[tag % RANKED];
}

/* What is visited, and which twins look alike, decide what stands for it (symmetry.h). */
static uint64_t ranked_tag(const struct vm_settled *s, const struct vm_twins *twins,
                           uint64_t footprint)
{
    uint64_t tag = vm_fold(s->rest[0] ^ vm_fold(s->rest_keys ^ s->numbers->hash)), ranks;
    tag = vm_fold(tag ^ footprint);
    for (size_t k = 0; k < sizeof twins->cell; k += sizeof ranks) {
        memcpy(&ranks, twins->cell + k, sizeof ranks);
        if (ranks)
            tag = vm_fold(tag ^ vm_fold(ranks + k));
    }
    return tag;
}

static bool find_ranked(const struct vm_memo *m, const struct vm_settled *s, uint64_t footprint,
                        struct vm_twins *twins)
{
    uint64_t tag = m->ranked ? ranked_tag(s, twins, footprint) : 0;
    const struct vm_ranked *ranked = tag ? ranked_at(m, tag) : NULL;
    if (!ranked || ranked->tag != tag)
        return false;
    memcpy(twins->rest, ranked->hash, sizeof twins->rest);
    return true;
}

bool vm_memo_ranked(struct vm *vm, const struct vm_settled *s, struct vm_twins *twins,
                    bool known)
{
    struct vm_memo *m = vm->memo;
    bool found = m && find_ranked(m, s, vm->s.footprint, twins);
    if (m)
        vm_effort_count(&m->ranked_tried, found && known, VM_ENOUGH_RANKED);
    return found;
}

void vm_memo_note_ranked(struct vm *vm, const struct vm_settled *s,
                         const struct vm_twins *twins)
{
    struct vm_memo *m = vm->memo;
    if (!m || vm_leaves_out(vm, VM_CACHE_TWINS))
        return;
    if (!m->ranked)
        m->ranked = vm_zeros(RANKED, sizeof *m->ranked);
    uint64_t tag = ranked_tag(s, twins, vm->s.footprint);
    *ranked_at(m, tag) = (struct vm_ranked){tag, {twins->rest[0], twins->rest[1]}};
}

bool vm_memo_ranks(struct vm *vm)
{
    struct vm_memo *m = vm->memo;
    if (vm_leaves_out(vm, VM_CACHE_TWINS))
        return false;
#ifdef DIVM_DEBUG
    if (m && ++m->turn % 4 == 0)
        return false;
#endif
    if (m && m->ranked_tried.skip)
        return m->ranked_tried.skip--, false;
    return m;
}

void vm_rests_forget(struct vm_memo *m)
{
    free(m->rests);
    free(m->ranked);
    m->ranked = NULL;
    m->rests = NULL;
    m->rest_tag = 0;
}

size_t vm_rests_bytes(const struct vm_memo *m)
{
    return (m->rests ? RESTS * sizeof *m->rests : 0) +
           (m->ranked ? RANKED * sizeof *m->ranked : 0);
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
    bool found = find_ranked(m, s, k->footprint, &m->twins_ahead);
    vm_effort_count(&m->ranked_tried, found, VM_ENOUGH_RANKED);
    return found;
}

static bool foretell(struct vm *vm, const struct vm_known *k, struct vm_foretold *f)
{
    const struct vm_heap *h = &vm->heap;
    struct vm_settled s = h->settled;
    uint64_t leak_sum = h->leak_sum;
    if (!s.visited || !k->at_end || !k->foretells || !vm_known_is_whole(h, k))
        return false;
    if (!k->visited && !foretell_rest(vm->memo, rest_tag(h, k), &s))
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

static void find_ways(struct vm *vm, const int *values, unsigned n)
{
    struct vm_memo *m = vm->memo;
    uint64_t way = vm_memo_way(vm, VM_PART_CHOICE);
    for (unsigned k = 0; way && k < n; k++) {
        uint32_t place = vm->places[values[k]];
        uint64_t thread = vm->candidates[values[k]];
        m->ahead[m->nahead++] = (struct vm_ahead){
            .place = place, .thread = thread, .way = vm_memo_way_on(vm, way, place, thread)};
    }
    if (m->ways.n)
        find_all(vm);
}

unsigned vm_look_ahead(struct vm *vm, const int *values, unsigned n)
{
    struct vm_memo *m = vm->memo;
    if (n > VM_AHEAD)
        n = VM_AHEAD;
    if (!m || vm_leaves_out(vm, VM_CACHE_FORETELL) || !vm->s.scheduling ||
        m->parts_tried.skip || !vm_memo_suits(vm, VM_PART_CHOICE))
        return 0;
    assert(!m->nahead && vm->choice.candidates);
    find_ways(vm, values, n);
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
    vm->memo->expects = foretell(vm, k, &foretold);
    memcpy(vm->memo->expected, foretold.hash, sizeof foretold.hash);
}
#endif

void vm_memo_hashed(struct vm *vm, const uint64_t hash[2])
{
    struct vm_memo *m = vm->memo;
    if (!m)
        return;
    note_rest(m, &vm->heap.settled);
#ifdef DIVM_DEBUG
    assert(!m->expects || (m->expected[0] == hash[0] && m->expected[1] == hash[1]));
    m->expects = false;
#else
    (void)hash;
#endif
}
