/* preconcurrent.c - see preconcurrent.h. */
#include "preconcurrent.h"

#include <string.h>

#include "graph_walk.h"

/* MANY: from so many objects on, some are pre-concurrent; and so many are never left out.
 * VERY_MANY: from so many on, objects that are alike are not left out. */
enum { MANY = 32, VERY_MANY = 256 };

bool vm_preconcurrent_are_many(const struct vm *vm)
{
    const struct vm_table *t = &vm->heap.table[VM_ID_HEAP];
    uint32_t live = 0;
    for (uint32_t i = 0; i < t->n && live < MANY; i++)
        live += t->obj[i] != NULL;
    return live == MANY;
}

/* Objects get ids by their places in a walk, in which nothing depends on indexes. */
struct aging {
    struct vm *vm;
    struct vm_id_list *ids;
    size_t n, all; /* of the walk's queue: objects that are to be stable come first */
};

static struct vm_obj *object(const struct aging *a, size_t k)
{
    return vm_heap_get(&a->vm->heap, a->vm->heap.reach.queue[k]);
}

static uint32_t *id(const struct aging *a, uint64_t p)
{
    return &a->ids->at[vm_ptr_index(p)];
}

static bool is_heap(const struct aging *a, size_t k)
{
    return vm_ptr_region(a->vm->heap.reach.queue[k]) == VM_ID_HEAP;
}

static bool is_local(const struct vm_obj *o)
{
    return o && o->kind == VM_OBJ_STACK;
}

/* Walks from the roots.  Frames of others than the first thread lead nowhere, unless they lead
 * to many objects. */
static struct aging walk(struct vm *vm)
{
    struct vm_heap *h = &vm->heap;
    struct aging a = {.vm = vm, .ids = vm_id_list_new(h->table[VM_ID_HEAP].n)};
    memset(a.ids->at, 0, a.ids->n * sizeof *a.ids->at);
    vm_reach_begin(h);
    vm_reach_meet(h, vm->s.reg[VM_REG_STATE]);
    vm_reach_follow(h, vm_walk_is_later);
    a.n = h->reach.nqueue;
    for (size_t k = 0; k < a.n; k++)
        if (vm_walk_is_later(h->reach.queue[k]) && object(&a, k))
            vm_reach_from(h, object(&a, k));
    vm_reach_follow(h, NULL);
    a.all = h->reach.nqueue;
    if (a.all - a.n >= MANY)
        a.n = a.all;
    return a;
}

/* Returns the index from which on objects are left out: those made since `begin`, if they are
 * few. */
static uint32_t find_end(const struct aging *a, uint32_t begin)
{
    uint32_t younger = 0;
    for (size_t k = 0; k < a->n; k++)
        younger += is_heap(a, k) && vm_ptr_index(a->vm->heap.reach.queue[k]) >= begin;
    return younger < MANY ? begin : a->ids->n;
}

struct locals {
    const struct aging *aging;
    uint32_t end;
};

static void give_id_to_local(void *locals, uint64_t p)
{
    const struct locals *x = locals;
    const struct vm *vm = x->aging->vm;
    uint32_t i = vm_ptr_index(p);
    if (vm_ptr_region(p) == VM_ID_HEAP && i < x->end && is_local(vm_heap_get(&vm->heap, p)))
        *id(x->aging, p) = VM_THREAD_IDS + vm_reach_number(&vm->heap, p);
}

static void give_ids(struct aging *a, uint32_t end)
{
    const struct vm_table *globals = &a->vm->heap.table[VM_ID_GLOBAL];
    struct locals locals = {a, end};
    for (size_t k = 0; k < a->n; k++) {
        const struct vm_obj *o = object(a, k);
        uint64_t p = a->vm->heap.reach.queue[k];
        if (!is_heap(a, k) || is_local(o))
            continue;
        if (vm_ptr_index(p) < end)
            *id(a, p) = VM_THREAD_IDS + (uint32_t)k + 1;
        if (o)
            vm_obj_each_edge(o, give_id_to_local, &locals);
    }
    for (uint32_t i = 0; i < globals->n; i++)
        vm_obj_each_edge(globals->obj[i], give_id_to_local, &locals);
}

/* Returns a hash of the contents alone: which threads can reach the object may differ. */
static uint64_t content_hash(const struct vm_obj *o)
{
    struct vm_obj *copy = vm_obj_copy(o);
    copy->flags &= (uint8_t)~VM_SHARED;
    vm_obj_hash(copy);
    uint64_t hash = copy->hash;
    vm_obj_release(copy);
    return hash;
}

static void leave_out_alike(struct aging *a)
{
    uint64_t at[VERY_MANY], looks[VERY_MANY];
    unsigned n = 0;
    for (size_t k = 0; k < a->all; k++) {
        const struct vm_obj *o = is_heap(a, k) ? object(a, k) : NULL;
        if (!o)
            continue;
        if (n == VERY_MANY)
            return;
        at[n] = a->vm->heap.reach.queue[k];
        looks[n++] = content_hash(o);
    }
    for (unsigned k = 0; k < n; k++)
        for (unsigned j = 0; j < k; j++)
            if (looks[j] == looks[k])
                *id(a, at[j]) = *id(a, at[k]) = 0;
}

struct vm_id_list *vm_preconcurrent_ids(struct vm *vm, uint32_t begin)
{
    struct aging a = walk(vm);
    give_ids(&a, find_end(&a, begin));
    leave_out_alike(&a);
    return a.ids;
}
