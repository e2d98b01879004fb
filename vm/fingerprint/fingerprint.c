/* fingerprint.c - the fingerprint of a state, by its canonical form.
 *
 * Objects are numbered in breadth-first order from the roots, so that states
 * with isomorphic graphs have equal forms whatever the ids.  The form is a
 * vector: for each object its cached hash and the numbers of its edges.  (Heap
 * symmetry as in the paper's Section 3; the object hashes make the cost of an
 * unchanged object a few instructions.)  Stable objects (inchash.h) have ids, and
 * stand in the vector as one sum; those at the frontier are roots. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "canonical_order.h"
#include "forms.h"
#include "graph_walk.h"
#include "preconcurrent.h"
#include "vm/exec/dead.h"
#include "vm/fingerprint/final.h"
#include "vm/heap/memory.h"
#include "vm/machine.h"

/* In a graph: the number of a pointer to an index that no table has; no other number is as
 * large. */
enum { STRAY = (1 << 29) - 1 };

/* An edge to a stable object is its id with this bit, which no number has. */
static const uint64_t STABLE = (uint64_t)1 << 32;

static void reserve(uint64_t **array, size_t *capacity, size_t n)
{
    if (n <= *capacity)
        return;
    *capacity = n < 256 ? 256 : 2 * n;
    *array = vm_resize(*array, *capacity * sizeof **array);
}

void vm_walk_push(struct vm_walk *w, uint64_t x)
{
    reserve(&w->vm->vector, &w->vm->vector_capacity, w->nvector + 1);
    w->vm->vector[w->nvector++] = x;
}

void vm_walk_prepare(struct vm_walk *w, struct vm *vm)
{
    *w = (struct vm_walk){
        .vm = vm, .raw = !vm->options.heap_symmetry, .stable = !vm->heap.exact};
    for (unsigned r = 0; r < 2; r++) {
        uint32_t n = vm->heap.table[r].n;
        if (n > vm->number_capacity[r]) {
            size_t old = vm->number_capacity[r];
            reserve(&vm->number_of[r], &vm->number_capacity[r], n);
            memset(vm->number_of[r] + old, 0, (vm->number_capacity[r] - old) * 8);
        }
    }
    /* Each object is queued once. */
    reserve(&vm->queue, &vm->queue_capacity, vm->number_capacity[0] + vm->number_capacity[1]);
    if (++vm->epoch == 0) {
        for (unsigned r = 0; r < 2; r++)
            memset(vm->number_of[r], 0, vm->number_capacity[r] * 8);
        vm->epoch = 1;
    }
}

/* Numbers an object at the first pointer to it, and queues it.  Dead objects are numbered too,
 * so that equal stale pointers stay equal. */
static inline uint64_t number_new(struct vm_walk *w, uint64_t p, uint64_t *at)
{
    struct vm *vm = w->vm;
    *at = (uint64_t)vm->epoch << 32 | ++w->next;
    vm->queue[w->nqueue++] = vm_ptr_object(p);
    __builtin_prefetch(vm->heap.table[vm_ptr_region(p)].obj[vm_ptr_index(p)]);
    return w->next;
}

static __attribute__((noinline)) uint64_t number_stray(struct vm_walk *w)
{
    w->raw = w->strays = true;
    return w->exact ? STRAY : 0;
}

/* Returns the number of the object that a pointer names. */
static inline __attribute__((always_inline)) uint64_t number_at(struct vm_walk *w, uint64_t p,
                                                                size_t place)
{
    struct vm *vm = w->vm;
    unsigned region = vm_ptr_region(p);
    uint32_t i = vm_ptr_index(p);
    uint64_t id = w->stable ? vm_stable_id(&vm->heap.inchash, p) : 0;
    if (id)
        return STABLE | vm_symmetry_id(&vm->symmetry, &vm->heap.inchash, id, place);
    if (__builtin_expect(i >= vm->heap.table[region].n, 0))
        return number_stray(w);
    uint64_t *at = &vm->number_of[region][i];
    return *at >> 32 == vm->epoch ? (uint32_t)*at : number_new(w, p, at);
}

bool vm_walk_is_met(const struct vm_walk *w, uint64_t p)
{
    return w->vm->number_of[vm_ptr_region(p)][vm_ptr_index(p)] >> 32 == w->vm->epoch;
}

static uint64_t number(struct vm_walk *w, uint64_t p)
{
    return number_at(w, p, w->nvector);
}

/* The place where the edges of an object go; there is room for all. */
struct pushing {
    struct vm_walk *walk;
    uint64_t *at;
};

static inline __attribute__((always_inline)) void push_edge(void *pushing, uint64_t p)
{
    struct pushing *x = pushing;
    uint64_t to = number_at(x->walk, p, (size_t)(x->at - x->walk->vm->vector));
    *x->at++ = to;
}

/* Pushes an edge of a graph: the first edge to an object is 0. */
static inline void push_graph_edge(void *pushing, uint64_t p)
{
    struct pushing *x = pushing;
    uint32_t next = x->walk->next;
    uint64_t to = number_at(x->walk, p, 0);
    *x->at++ = x->walk->next != next ? 0 : to;
}

/* Makes room for an object's edges, and for two words more. */
static inline struct pushing begin_object(struct vm_walk *w, const struct vm_obj *o)
{
    struct vm *vm = w->vm;
    reserve(&vm->vector, &vm->vector_capacity, w->nvector + vm_obj_words(o) + 2);
    return (struct pushing){w, vm->vector + w->nvector};
}

static inline void end_object(struct vm_walk *w, const struct pushing *x)
{
    w->nvector = (size_t)(x->at - w->vm->vector);
}

/* Pushes an edge of a graph that no pointer in an object stands for. */
void vm_walk_edge(struct vm_walk *w, uint64_t p)
{
    vm_walk_push(w, 0);
    struct pushing x = {w, w->vm->vector + w->nvector - 1};
    push_graph_edge(&x, p);
}

static uint64_t owner_of(const struct vm_obj *o)
{
    return vm_ptr(VM_ID_FRAME, vm_obj_owner(o), 0);
}

void vm_walk_node(struct vm_walk *w, struct vm_obj *o)
{
    if (!(o->flags & VM_HASHED)) {
        vm_obj_content_number(o, w->vm->options.contents);
        w->vm->heap.bytes_hashed += o->size;
    }
    struct pushing x = begin_object(w, o);
    uint64_t *head = x.at++;
    vm_obj_each_edge(o, push_graph_edge, &x);
    if (o->kind == VM_OBJ_STACK)
        push_graph_edge(&x, owner_of(o));
    *head = o->hash << 32 | w->flags | (uint64_t)(x.at - head - 1);
    end_object(w, &x);
}

static inline void visit_form(struct vm_walk *w, struct vm_obj *o)
{
    vm_heap_hash(&w->vm->heap, o);
    struct pushing x = begin_object(w, o);
    *x.at++ = o->hash - vm_symmetry_tid(&w->vm->symmetry, o);
    if (o->edges)
        vm_obj_each_edge(o, push_edge, &x);
    if (o->kind == VM_OBJ_STACK) /* the owner matters: the variable ends with that frame */
        push_edge(&x, owner_of(o));
    end_object(w, &x);
}

void vm_walk_visit(struct vm_walk *w, struct vm_obj *o)
{
    if (w->exact)
        vm_graph_visit(w, o);
    else
        visit_form(w, o);
    w->vm->stats.objects_visited++;
    w->keys = vm_fold(w->keys + o->key);
    w->raw |= (o->flags & VM_RAW) != 0;
}

bool vm_walk_is_later(uint64_t p)
{
    uint32_t i = vm_ptr_index(p);
    return vm_ptr_region(p) == VM_ID_FRAME && i < VM_HOMES && i % VM_DEEPER >= 2 * VM_BLOCK;
}

void vm_walk_queue(struct vm_walk *w)
{
    struct vm *vm = w->vm;
    for (; w->nvisited < w->nqueue; w->nvisited++) {
        struct vm_obj *o = vm_heap_get(&vm->heap, vm->queue[w->nvisited]);
        w->keys = vm_fold(w->keys ^ vm->queue[w->nvisited]);
        if (!o) {
            vm_walk_push(w, 0);
            continue;
        }
        vm_walk_visit(w, o);
        if (vm_obj_is_heap(o))
            w->leak_sum += vm_leak_term(o);
    }
}

/* Visits the kernel's state, and what it and the objects visited so far lead to. */
static void visit_state(struct vm_walk *w)
{
    uint64_t state = w->vm->s.reg[VM_REG_STATE];
    vm_walk_push(w, state ? number(w, state) : 0);
    vm_walk_queue(w);
}

/* Pushes an edge of the kernel's state, which has the list of threads; symmetric threads are in
 * it as long as they have not ended, so it need not say so. */
static void push_not_symmetric(void *pushing, uint64_t p)
{
    struct pushing *x = pushing;
    const struct vm_inchash *s = &x->walk->vm->heap.inchash;
    if (!vm_symmetric_thread(s, vm_stable_id(s, p)))
        push_edge(pushing, p);
}

static void visit_list(struct vm_walk *w, const struct vm_obj *o)
{
    struct pushing x = begin_object(w, o);
    *x.at++ = o->hash;
    vm_obj_each_edge(o, push_not_symmetric, &x);
    end_object(w, &x);
}

static void visit_entry(struct vm_walk *w, const struct vm_obj *o, uint32_t k)
{
    const uint64_t *entry = o->data + k;
    bool is_edge = vm_obj_is_edge(vm_obj_shadow((struct vm_obj *)o)[k + 1], entry[1]);
    vm_walk_push(w, number(w, entry[0]));
    vm_walk_push(w, is_edge ? number(w, entry[1]) : entry[1]);
    vm_walk_push(w, entry[2]);
    vm_walk_push(w, entry[3]);
}

/* Visits the open footprints of one symmetric thread, or (0) of all other threads. */
static void visit_entries(struct vm_walk *w, const struct vm_obj *o, unsigned tid)
{
    const struct vm_inchash *s = &w->vm->heap.inchash;
    for (uint32_t k = 0; k + VM_ENTRY_WORDS <= vm_obj_words(o); k += VM_ENTRY_WORDS)
        if (vm_symmetric_thread(s, vm_stable_id(s, o->data[k])) == tid)
            visit_entry(w, o, k);
}

/* Visits the open footprints.  Those of symmetric threads come in the order of ranks; while
 * symmetric threads are told apart (coloured) they are visited with each symmetric thread. */
static void visit_footprints(struct vm_walk *w, const struct vm_obj *o)
{
    const struct vm_symmetry *symmetry = &w->vm->symmetry;
    vm_walk_push(w, o->size);
    visit_entries(w, o, 0);
    for (unsigned rank = 1; rank <= (symmetry->coloured ? 0 : symmetry->n); rank++)
        visit_entries(w, o, symmetry->order[rank - 1]);
}

static void visit_at(struct vm_walk *w, uint64_t p, uint64_t id)
{
    struct vm *vm = w->vm;
    struct vm_obj *o = vm_table_of(&vm->heap, vm_ptr_region(p))->obj[vm_ptr_index(p)];
    vm_walk_push(w, STABLE | vm_symmetry_id(&vm->symmetry, &vm->heap.inchash, id, w->nvector));
    if (vm->symmetry.n && p == vm->s.reg[VM_REG_STATE])
        visit_list(w, o);
    else if (vm->symmetry.n && p == vm->s.footprint)
        visit_footprints(w, o);
    else
        vm_walk_visit(w, o);
}

static unsigned rank_of(const struct vm_walk *w, uint64_t id)
{
    return vm_symmetry_rank(&w->vm->symmetry, vm_symmetric_thread(&w->vm->heap.inchash, id));
}

/* Visits the objects at the frontier that belong to this symmetric thread, or (0) to none. */
static void visit_frontier_of(struct vm_walk *w, unsigned tid)
{
    const struct vm_inchash *s = &w->vm->heap.inchash;
    for (uint32_t k = 0; s->frontier && k < s->frontier->n; k++) {
        uint64_t p = (uint64_t)s->frontier->at[k] << 32, id = vm_stable_id(s, p);
        if (vm_symmetric_thread(s, id) == tid)
            visit_at(w, p, id);
    }
}

static uint64_t at_frontier(const struct vm_walk *w, uint32_t k)
{
    return (uint64_t)w->vm->heap.inchash.frontier->at[k] << 32;
}

/* Prefetches the objects at the frontier, before they are visited. */
static void prefetch_frontier(struct vm_walk *w, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        uint64_t p = at_frontier(w, k);
        __builtin_prefetch(vm_table_of(&w->vm->heap, vm_ptr_region(p))->obj[vm_ptr_index(p)]);
    }
}

/* Visits the frontier by ranks of threads; the objects of one thread in the frontier's
 * order. */
static void visit_ranks(struct vm_walk *w, uint32_t n)
{
    struct vm *vm = w->vm;
    const struct vm_inchash *s = &vm->heap.inchash;
    uint32_t place[VM_MAX_SYMMETRIC + 2] = {0};
    reserve(&vm->order, &vm->order_capacity, n);
    for (uint32_t k = 0; k < n; k++)
        place[rank_of(w, vm_stable_id(s, at_frontier(w, k))) + 1]++;
    for (unsigned rank = 1; rank <= vm->symmetry.n; rank++)
        place[rank] += place[rank - 1];
    for (uint32_t k = 0; k < n; k++)
        vm->order[place[rank_of(w, vm_stable_id(s, at_frontier(w, k)))]++] = at_frontier(w, k);
    for (uint32_t k = 0; k < n; k++)
        visit_at(w, vm->order[k], vm_stable_id(s, vm->order[k]));
}

static void visit_frontier(struct vm_walk *w)
{
    const struct vm_inchash *s = &w->vm->heap.inchash;
    uint32_t n = s->frontier ? s->frontier->n : 0;
    prefetch_frontier(w, n);
    if (w->vm->symmetry.n) {
        visit_ranks(w, n);
        return;
    }
    for (uint32_t k = 0; k < n; k++)
        visit_at(w, at_frontier(w, k), vm_stable_id(s, at_frontier(w, k)));
}

/* Takes back numbers that were given since. */
static void take_back(struct vm_walk *w, const struct vm_walk *since)
{
    for (size_t k = since->nqueue; k < w->nqueue; k++) {
        uint64_t p = w->vm->queue[k];
        w->vm->number_of[vm_ptr_region(p)][vm_ptr_index(p)] = 0;
    }
    *w = *since;
}

/* Visits the objects that this symmetric thread leads to, except its stable objects; comes
 * after the objects to which no symmetric thread leads. */
static void visit_thread(struct vm_walk *w, unsigned tid)
{
    struct vm *vm = w->vm;
    const struct vm_inchash *s = &vm->heap.inchash;
    vm->symmetry.self = tid;
    visit_frontier_of(w, tid);
    if (vm->s.footprint && vm_inchash_in_frontier(s, vm->s.footprint))
        visit_entries(w, vm_heap_get(&vm->heap, vm->s.footprint), tid);
    vm_walk_queue(w);
    vm->symmetry.self = 0;
}

void vm_walk_apart(struct vm *vm)
{
    struct vm_symmetry *symmetry = &vm->symmetry;
    struct vm_walk w;
    vm_symmetry_colour(symmetry);
    vm_walk_prepare(&w, vm);
    visit_frontier_of(&w, 0);
    visit_state(&w);
    const struct vm_walk others = w;
    symmetry->reached_apart = w.next;
    for (unsigned rank = 1; rank <= symmetry->n; rank++) {
        unsigned tid = symmetry->order[rank - 1];
        visit_thread(&w, tid);
        symmetry->seen[tid] =
            XXH3_64bits(vm->vector + others.nvector, (w.nvector - others.nvector) * 8);
        symmetry->reached_apart += w.next - others.next;
        take_back(&w, &others);
    }
    symmetry->coloured = false;
}

bool vm_walk_ranked(struct vm *vm)
{
    struct vm_walk w;
    struct vm_symmetry *symmetry = &vm->symmetry;
    assert(vm_heap_is_summed(&vm->heap) && symmetry->n && !symmetry->coloured);
    symmetry->named = 0;
    vm_walk_prepare(&w, vm);
    visit_frontier(&w);
    visit_state(&w);
    vm->heap.inchash.rest_leak_sum = w.leak_sum;
    symmetry->reached = w.next;
    XXH128_hash_t h = XXH3_128bits(vm->vector, w.nvector * 8);
    symmetry->rest[0] = h.low64;
    symmetry->rest[1] = h.high64;
    return !w.raw;
}

/* Visits what no whole pointer leads to, but perhaps pieces of one, or a number. */
static void visit_rest(struct vm_walk *w)
{
    const struct vm_table *t = &w->vm->heap.table[VM_ID_HEAP];
    const struct vm_inchash *s = &w->vm->heap.inchash;
    for (uint32_t i = 0; i < t->n; i++) {
        uint64_t p = vm_ptr(VM_ID_HEAP, i, 0);
        if (t->obj[i] && !vm_stable_id(s, p) && !vm_walk_is_met(w, p)) {
            number(w, p);
            vm_walk_queue(w);
        }
    }
}

/* Finds the objects of threads by the numbers for their stable ids.  New ones are in the log,
 * which has all changes since ids were given last.  If a number was another object's before,
 * that object has it no longer, though there may still be pointers to it.  Returns how many
 * numbers there may be. */
static uint32_t find_holders(const struct vm_heap *h, uint32_t holder[VM_THREAD_IDS])
{
    const struct vm_stable_ids *before = h->inchash.stable_ids;
    const struct vm_table *t = &h->table[VM_ID_HEAP];
    uint32_t n = before ? before->nholders : 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = vm_stable_ids_holder(before, k);
        holder[k] = i < t->n ? i : 0;
    }
    for (size_t k = 0; k < h->nlog; k++) {
        uint32_t i = h->log[k].index;
        if (h->log[k].region != VM_ID_HEAP || !t->obj[i] || !vm_obj_is_stable(t->obj[i]))
            continue;
        uint32_t name = t->obj[i]->link;
        if (!name)
            continue;
        while (n <= name)
            holder[n++] = 0;
        if (!holder[name] || !t->obj[holder[name]]) /* the kernel gives no number twice */
            holder[name] = i;
    }
    return n;
}

/* Returns the first record of the new threads, except the first thread's. */
static uint32_t find_record(const struct vm_heap *h, const uint32_t *holder, uint32_t nholders)
{
    uint32_t first = h->table[VM_ID_HEAP].n;
    for (uint32_t name = 4; name < nholders; name += 2)
        if (holder[name] && holder[name] < first &&
            holder[name] != vm_stable_ids_holder(h->inchash.stable_ids, name))
            first = holder[name];
    return first;
}

void vm_walk_give_ids(struct vm *vm, bool preconcurrent)
{
    struct vm_heap *h = &vm->heap;
    uint32_t holder[VM_THREAD_IDS], nholders = find_holders(h, holder);
    bool symmetry = vm->options.thread_symmetry && vm->options.heap_symmetry;
    struct vm_id_list *ids =
        preconcurrent ? vm_preconcurrent_ids(vm, find_record(h, holder, nholders)) : NULL;
    struct vm_stable_ids *stable_ids = vm_stable_ids_next(
        h->inchash.stable_ids, ids, holder, nholders, symmetry ? vm->new_symmetric : 0);
    vm_id_list_release(ids);
    vm_inchash_set_ids(h, stable_ids, preconcurrent || h->inchash.preconcurrent);
}

/* Pushes real ids: of the numbered objects, and of those that are stable (or were: a pointer
 * may still lead there; that none does is not known, so some states are told apart that
 * vm_graph does not). */
static void push_ids(struct vm_walk *w)
{
    const struct vm_stable_ids *stable_ids = w->vm->heap.inchash.stable_ids;
    if (w->vm->options.next_id_matters)
        vm_walk_push(w, w->vm->heap.table[VM_ID_HEAP].n);
    for (size_t k = 0; k < w->nqueue; k++)
        vm_walk_push(w, w->vm->queue[k]);
    if (stable_ids)
        vm_walk_push(w, stable_ids->hash);
}

static bool is_stable(const struct vm_inchash *s, uint64_t footprint)
{
    return !footprint || vm_stable_id(s, footprint);
}

static bool footprint_is_stable(const struct vm *vm)
{
    return is_stable(&vm->heap.inchash, vm->s.footprint);
}

/* Visits the frontier and what is not stable. */
static void visit_unstable(struct vm *vm)
{
    struct vm_walk w;
    struct vm_inchash *s = &vm->heap.inchash;
    vm_walk_prepare(&w, vm);
    visit_frontier(&w);
    if (!footprint_is_stable(vm))
        vm_walk_push(&w, number(&w, vm->s.footprint));
    visit_state(&w);
    w.raw |= s->nraw != 0;
    if (w.raw) {
        visit_rest(&w);
        push_ids(&w);
    }
    XXH128_hash_t h = XXH3_128bits(vm->vector, w.nvector * 8);
    s->rest[0] = h.low64;
    s->rest[1] = h.high64;
    s->rest_leak_sum = w.leak_sum;
    s->rest_keys = w.keys;
    s->visited = !w.raw && footprint_is_stable(vm);
}

static void find_symmetric(struct vm *vm)
{
    assert(vm_heap_is_summed(&vm->heap)); /* so the hash of each object is known */
    vm_symmetry_find(&vm->symmetry, &vm->symmetry_terms, &vm->heap);
    vm_symmetry_sort(&vm->symmetry, vm->heap.inchash.stable_ids->symmetric);
}

/* Finds the form of what has been visited, in the symmetric threads' order.  known: nothing had
 * to be visited. */
static void rename_visited(struct vm *vm, bool known)
{
    const struct vm_inchash *s = &vm->heap.inchash;
    find_symmetric(vm);
    if (vm->forms && vm_forms_ranked(vm->forms, s, vm->s.footprint, &vm->symmetry, known)) {
#ifdef DIVM_DEBUG
        struct vm_symmetry found = vm->symmetry;
        vm_canonical_order(vm);
        assert(!memcmp(found.rest, vm->symmetry.rest, sizeof found.rest));
#endif
        return;
    }
    bool whole = vm_canonical_order(vm);
    assert(whole);
    (void)whole;
    if (vm->forms)
        vm_forms_note_ranked(vm->forms, s, vm->s.footprint, &vm->symmetry);
}

/* Visits in the symmetric threads' order alone; false if there are pieces of pointers. */
static bool visit_renamed(struct vm *vm)
{
    find_symmetric(vm);
    bool whole = vm_canonical_order(vm);
    vm->symmetry.n = whole ? vm->symmetry.n : 0;
    return whole;
}

static void put_together(const struct vm_inchash *s, const struct vm_symmetry *symmetry,
                         uint64_t footprint, uint64_t leak_sum, uint64_t hash[2])
{
    static const struct vm_symmetry none;
    const uint64_t *rest = symmetry ? symmetry->rest : s->rest;
    if (!symmetry)
        symmetry = &none;
    const uint64_t all[] = {s->sum[0] - symmetry->sum[0],
                            s->sum[1] - symmetry->sum[1],
                            symmetry->form[0],
                            symmetry->form[1],
                            rest[0],
                            rest[1],
                            is_stable(s, footprint) ? footprint : 1,
                            leak_sum - s->leak_sum - s->rest_leak_sum,
                            s->preconcurrent};
    XXH128_hash_t h = XXH3_128bits(all, sizeof all);
    hash[0] = h.low64;
    hash[1] = h.high64;
}

static bool is_simple(const struct vm_inchash *s, uint64_t footprint)
{
    return s->visited && !s->nraw && is_stable(s, footprint);
}

#ifdef DIVM_DEBUG
/* Checks that visiting would give what was not visited. */
static void check_visited(struct vm *vm)
{
    struct vm_inchash *s = &vm->heap.inchash;
    const struct vm_inchash was = *s;
    visit_unstable(vm);
    assert(s->visited && s->rest[0] == was.rest[0] && s->rest[1] == was.rest[1]);
    assert(s->rest_keys == was.rest_keys && s->rest_leak_sum == was.rest_leak_sum);
}
#endif

static bool asks_ranked(struct vm *vm)
{
    return vm->forms && vm_forms_asks_ranked(vm->forms);
}

static bool recalls_rest(struct vm *vm)
{
    return vm->forms && vm_forms_recall(vm->forms, &vm->heap.inchash);
}

/* Visits what has to be visited, for inchash.rest; or in the order of symmetric threads, if
 * there are some, for symmetry.rest. */
static void visit_all(struct vm *vm)
{
    const struct vm_inchash *s = &vm->heap.inchash;
    bool apt = !s->nraw && footprint_is_stable(vm),
         symmetry = vm_has_symmetric_threads(vm, vm->s.footprint);
    vm->symmetry.n = 0;
    if (apt && symmetry && !s->visited && !asks_ranked(vm) && visit_renamed(vm))
        return;
    bool known = apt && (s->visited || recalls_rest(vm));
#ifdef DIVM_DEBUG
    if (known)
        check_visited(vm);
#endif
    if (!known)
        visit_unstable(vm);
    if (symmetry && is_simple(s, vm->s.footprint))
        rename_visited(vm, known);
}

/* Are there objects that need ids?  preconcurrent: the program's are among them. */
static bool gives_ids(const struct vm *vm, bool *preconcurrent)
{
    const struct vm_inchash *s = &vm->heap.inchash;
    bool exact = vm->options.contents; /* a graph needs to know symmetric threads only */
    *preconcurrent = !exact && vm->begins && !s->preconcurrent &&
                     !vm_leaves_out(vm, VM_CACHE_PRECONCURRENT) &&
                     vm_preconcurrent_are_many(vm);
    return *preconcurrent ||
           (s->nstable != vm->heap.nstable && (!exact || vm->options.thread_symmetry));
}

void vm_make_final(struct vm *vm)
{
    struct vm_heap *h = &vm->heap;
    bool preconcurrent;
    assert(!h->readset.recording);
    if (!vm_heap_is_summed(h)) /* then they are cleared */
        vm_clear_dead(vm);
    if (h->exact)
        vm_pages_make(h);
    if (gives_ids(vm, &preconcurrent))
        vm_walk_give_ids(vm, preconcurrent);
    vm_inchash_update(h);
}

void vm_finish(struct vm *vm)
{
    vm_make_final(vm);
    if (!vm->options.contents) {
        visit_all(vm);
        if (vm->forms)
            vm_forms_note(vm->forms, &vm->heap.inchash);
    }
    vm->finished = true;
#ifdef DIVM_DEBUG
    uint64_t hash[2];
    if (vm->expects)
        vm_hash(vm, hash);
    assert(!vm->expects || (vm->expected[0] == hash[0] && vm->expected[1] == hash[1]));
    vm->expects = false;
#endif
}

void vm_hash(const struct vm *vm, uint64_t hash[2])
{
    const struct vm_inchash *s = &vm->heap.inchash;
    assert(vm->finished && !vm->options.contents && vm_heap_is_summed(&vm->heap));
    put_together(s, vm->symmetry.n ? &vm->symmetry : NULL, vm->s.footprint, vm->heap.leak_sum,
                 hash);
}

bool vm_hash_predicted(const struct vm_inchash *s, const struct vm_symmetry *symmetry,
                       uint64_t footprint, uint64_t leak_sum, uint64_t hash[2])
{
    if (!is_simple(s, footprint))
        return false;
    put_together(s, symmetry, footprint, leak_sum, hash);
    return true;
}
