/* canon.c - the canonical form of a state, and its fingerprint.
 *
 * Objects are numbered in breadth-first order from the roots, so that states
 * with isomorphic graphs have equal forms whatever the ids.  The form is a
 * vector: for each object its cached hash and the numbers of its edges.  (Heap
 * symmetry as in the paper's Section 3; the object hashes make the cost of an
 * unchanged object a few instructions.) */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "machine.h"
#include "memory.h"

struct walk {
    struct vm *vm;
    uint64_t *queue, *vector;
    size_t nqueue, nvisited, nvector;
    uint32_t next;     /* number of the next object */
    uint64_t leak_sum; /* of the heap objects reached */
    bool raw;          /* ids have to be hashed too */
    bool marks;        /* only what is reached is asked for */
};

static void reserve(uint64_t **array, size_t *capacity, size_t n)
{
    if (n <= *capacity)
        return;
    *capacity = n < 256 ? 256 : 2 * n;
    *array = vm_resize(*array, *capacity * sizeof **array);
}

static void push_vector(struct walk *w, uint64_t x)
{
    reserve(&w->vm->vector, &w->vm->vector_capacity, w->nvector + 1);
    w->vm->vector[w->nvector++] = x;
}

static void prepare(struct walk *w, struct vm *vm)
{
    *w = (struct walk){.vm = vm, .raw = !vm->options.heap_symmetry};
    for (unsigned r = 0; r < 2; r++) {
        uint32_t n = vm->heap.table[r].n;
        if (n > vm->number_capacity[r]) {
            size_t old = vm->number_capacity[r];
            reserve(&vm->number_of[r], &vm->number_capacity[r], n);
            memset(vm->number_of[r] + old, 0, (vm->number_capacity[r] - old) * 8);
        }
    }
    if (++vm->epoch == 0) {
        for (unsigned r = 0; r < 2; r++)
            memset(vm->number_of[r], 0, vm->number_capacity[r] * 8);
        vm->epoch = 1;
    }
}

/* The number of the object a pointer names; objects met first are queued.  Dead
 * ones are numbered too, so that equal stale pointers stay equal. */
static uint32_t number(struct walk *w, uint64_t p)
{
    struct vm *vm = w->vm;
    unsigned region = vm_ptr_region(p);
    uint32_t i = vm_ptr_index(p);
    if (i >= vm->heap.table[region].n) {
        w->raw = true;
        return 0;
    }
    uint64_t *at = &vm->number_of[region][i];
    if (__builtin_expect(*at >> 32 == vm->epoch, 1))
        return (uint32_t)*at;
    *at = (uint64_t)vm->epoch << 32 | ++w->next;
    reserve(&vm->queue, &vm->queue_capacity, w->nqueue + 1);
    vm->queue[w->nqueue++] = p & ~0xffffffffull;
    return w->next;
}

static void edges(struct walk *w, const struct vm_obj *o)
{
    const uint16_t *s = vm_obj_shadow((struct vm_obj *)o);
    uint32_t n = vm_obj_words(o);
    reserve(&w->vm->vector, &w->vm->vector_capacity, w->nvector + n);
    for (uint32_t k = 0; k < n;) {
        uint64_t four;
        if (k + 4 <= n && (memcpy(&four, s + k, 8), !(four & 0xff00ff00ff00ff00))) {
            k += 4;
            continue;
        }
        uint64_t p = o->data[k];
        if (s[k++] >> 8 == 0xff && vm_ptr_region(p) <= VM_ID_FRAME && p >> 32)
            w->vm->vector[w->nvector++] = number(w, p);
    }
}

/* Before the end of a transition an object may still change after it was visited, so
 * marking computes no hash, which would be kept. */
static void visit(struct walk *w, struct vm_obj *o)
{
    if (w->marks) {
        if (!(o->flags & VM_HASHED) || o->flags & VM_EDGES)
            edges(w, o);
        return;
    }
    if (!(o->flags & VM_HASHED)) {
        vm_obj_hash(o);
        w->vm->stats.bytes_hashed += o->size;
    }
    if (o->flags & VM_RAW)
        w->raw = true;
    push_vector(w, o->hash);
    if (o->kind == VM_OBJ_HEAP)
        w->leak_sum += vm_leak_term(o);
    if (o->flags & VM_EDGES)
        edges(w, o);
}

static void visit_queue(struct walk *w)
{
    struct vm *vm = w->vm;
    for (; w->nvisited < w->nqueue; w->nvisited++) {
        struct vm_obj *o = vm_heap_get(&vm->heap, vm->queue[w->nvisited]);
        vm->stats.objects_visited++;
        if (o)
            visit(w, o);
        else
            push_vector(w, 0);
    }
}

static void visit_roots(struct walk *w, bool footprint)
{
    struct vm *vm = w->vm;
    for (uint32_t i = 0; i < vm->heap.table[VM_ID_GLOBAL].n; i++)
        visit(w, vm->heap.table[VM_ID_GLOBAL].obj[i]);
    if (vm->s.reg[VM_REG_STATE])
        number(w, vm->s.reg[VM_REG_STATE]);
    if (footprint && vm->s.footprint)
        number(w, vm->s.footprint);
    visit_queue(w);
}

/* Registers of a stopped frame that no path reads any more. */
static void clear_dead_registers(struct vm *vm, uint64_t p, struct vm_obj *o)
{
    const struct vm_insn *i;
    const struct vm_function *f = vm_frame_function(vm, p, &i);
    if (!f || f->keeps_all)
        return;
    uint32_t set = f->live_at[i - f->code];
    if (!set)
        return;
    const uint64_t *live = f->live + (size_t)(set - 1) * ((f->nregs + 63) / 64);
    uint16_t *s = vm_obj_shadow(o);
    for (uint32_t r = VM_FRAME_HEADER; r < f->nregs; r++) {
        if (live[r / 64] >> (r % 64) & 1 || (o->data[r] == 0 && s[r] == 0x00ff))
            continue;
        o = vm_heap_own(&vm->heap, p, o);
        s = vm_obj_shadow(o);
        o->data[r] = 0;
        s[r] = 0x00ff;
    }
    if (o->bits) {
        bool partial = false;
        for (uint32_t r = 0; r < f->nregs; r++)
            partial |= (s[r] & 0xff) != 0xff;
        if (!partial) {
            o = vm_heap_own(&vm->heap, p, o);
            free(o->bits);
            o->bits = NULL;
        }
    }
}

void vm_clear_dead(struct vm *vm)
{
    if (vm->program->keep_dead)
        return;
    size_t n = vm->heap.nlog;
    for (size_t k = 0; k < n; k++) {
        uint64_t p = vm_ptr(vm->heap.log[k].region, vm->heap.log[k].index, 0);
        struct vm_obj *o =
            vm->heap.log[k].region == VM_ID_FRAME ? vm_heap_get(&vm->heap, p) : NULL;
        if (o && p != vm->s.footprint)
            clear_dead_registers(vm, p, o);
    }
}

/* What no whole pointer leads to, but perhaps pieces of one, or a number. */
static void visit_rest(struct walk *w)
{
    const struct vm_table *t = &w->vm->heap.table[VM_ID_HEAP];
    for (uint32_t i = 0; i < t->n; i++)
        if (t->obj[i] && !vm_reach_is_marked(w->vm, vm_ptr(VM_ID_HEAP, i, 0))) {
            number(w, vm_ptr(VM_ID_HEAP, i, 0));
            visit_queue(w);
        }
}

void vm_hash(struct vm *vm, uint64_t hash[2])
{
    struct walk w;
    vm_clear_dead(vm);
    prepare(&w, vm);
    visit_roots(&w, true);
    if (w.raw)
        visit_rest(&w);
    push_vector(&w, vm->heap.leak_sum - w.leak_sum);
    if (w.raw) {
        for (size_t k = 0; k < w.nqueue; k++)
            push_vector(&w, vm->queue[k]);
    }
    XXH128_hash_t h = XXH3_128bits(vm->vector, w.nvector * 8);
    hash[0] = h.low64;
    hash[1] = h.high64;
}

void vm_reach_mark(struct vm *vm)
{
    struct walk w;
    prepare(&w, vm);
    w.marks = true;
    visit_roots(&w, false);
}

bool vm_reach_is_marked(const struct vm *vm, uint64_t p)
{
    return vm->number_of[vm_ptr_region(p)][vm_ptr_index(p)] >> 32 == vm->epoch;
}

uint64_t vm_next_leak(struct vm *vm, uint64_t after)
{
    vm_reach_mark(vm);
    const struct vm_table *t = &vm->heap.table[VM_ID_HEAP];
    for (uint32_t i = vm_ptr_index(after) + 1; i < t->n; i++)
        if (t->obj[i] && t->obj[i]->kind == VM_OBJ_HEAP &&
            vm->number_of[VM_ID_HEAP][i] >> 32 != vm->epoch)
            return vm_ptr(VM_ID_HEAP, i, 0);
    return 0;
}
