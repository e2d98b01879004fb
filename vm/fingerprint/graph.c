/* graph.c - the canonical form of a state as a graph, for a store that keeps states exactly:
 * nothing is stable or summed. */
#include <assert.h>
#include <stdlib.h>

#include "graph_walk.h"
#include "orbit.h"
#include "vm/exec/register.h"

/* Roots that are no objects: their contents are what they are and how many edges they have. */
enum root { ROOT_REGISTERS, ROOT_REST, ROOT_IDS, ROOT_LEAKS };

static size_t begin_root(struct vm_walk *w)
{
    vm_walk_push(w, 0);
    return w->nvector;
}

static void end_root(struct vm_walk *w, size_t at, enum root root)
{
    const struct vm_contents *contents = w->vm->options.contents;
    uint32_t nedges = (uint32_t)(w->nvector - at), text[1] = {nedges << 2 | root};
    uint64_t name = contents->number(contents->context, text, sizeof text);
    w->vm->vector[at - 1] = name << 32 | VM_GRAPH_ROOT | nedges;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Pushes, in place of a sum, sizes and places of what is not reached, in order. */
static void push_leaks(struct vm_walk *w)
{
    struct vm *vm = w->vm;
    const struct vm_contents *contents = vm->options.contents;
    const struct vm_table *t = &vm->heap.table[VM_ID_HEAP];
    size_t at = begin_root(w);
    for (uint32_t i = 0; i < t->n; i++) {
        const struct vm_obj *o = t->obj[i];
        if (!o || !vm_obj_is_heap(o) || vm_walk_is_met(w, vm_ptr(VM_ID_HEAP, i, 0)))
            continue;
        uint64_t leak[2] = {o->site, o->size};
        vm_walk_push(w, contents->number(contents->context, leak, sizeof leak));
    }
    if (w->nvector > at)
        qsort(vm->vector + at, w->nvector - at, sizeof *vm->vector, by_number);
    end_root(w, at, ROOT_LEAKS);
}

/* Pushes an id as numbers that are below 2^29 and not 0. */
static void push_id(struct vm_walk *w, uint64_t p)
{
    uint32_t index = vm_ptr_index(p);
    vm_walk_push(w, vm_ptr_region(p) + 1);
    vm_walk_push(w, (index >> 16) + 1);
    vm_walk_push(w, (index & 0xffff) + 1);
}

static void push_strays(struct vm_walk *w, const struct vm_obj *o)
{
    for (uint32_t k = 0; o && k < vm_obj_words(o); k++) {
        uint64_t p = o->data[k];
        if (vm_obj_is_edge(vm_shadow(o, k), p) &&
            vm_ptr_index(p) >= w->vm->heap.table[vm_ptr_region(p)].n)
            push_id(w, p);
    }
}

static void graph_ids(struct vm_walk *w)
{
    struct vm *vm = w->vm;
    size_t at = begin_root(w);
    if (vm->options.next_id_matters)
        push_id(w, vm_ptr(VM_ID_HEAP, vm->heap.table[VM_ID_HEAP].n, 0));
    for (size_t k = 0; k < w->nqueue; k++)
        push_id(w, vm->queue[k]);
    for (uint32_t i = 0; w->strays && i < vm->heap.table[VM_ID_GLOBAL].n; i++)
        push_strays(w, vm->heap.table[VM_ID_GLOBAL].obj[i]);
    for (size_t k = 0; w->strays && k < w->nqueue; k++)
        push_strays(w, vm_heap_get(&vm->heap, vm->queue[k]));
    end_root(w, at, ROOT_IDS);
}

/* Visits the globals; of a large one, the pages. */
static void graph_globals(struct vm_walk *w)
{
    const struct vm_heap *h = &w->vm->heap;
    const struct vm_table *t = &h->table[VM_ID_GLOBAL];
    w->flags = VM_GRAPH_ROOT;
    for (uint32_t i = 0; i < t->n; i++)
        if (!(t->obj[i]->flags & VM_PAGED))
            vm_walk_visit(w, t->obj[i]);
    for (uint32_t i = 0; i < h->pages.n; i++)
        vm_walk_visit(w, h->pages.obj[i]);
    w->flags = 0;
}

static void graph_registers(struct vm_walk *w)
{
    const struct vm *vm = w->vm;
    size_t at = begin_root(w);
    if (vm->s.reg[VM_REG_STATE])
        vm_walk_edge(w, vm->s.reg[VM_REG_STATE]);
    if (vm->s.footprint)
        vm_walk_edge(w, vm->s.footprint);
    for (uint32_t i = VM_BUFFERS; i < VM_HOMES && i < vm->heap.table[VM_ID_FRAME].n; i++)
        if (vm->heap.table[VM_ID_FRAME].obj[i])
            vm_walk_edge(w, vm_ptr(VM_ID_FRAME, i, 0));
    end_root(w, at, ROOT_REGISTERS);
    vm_walk_queue(w);
}

static void graph_rest(struct vm_walk *w)
{
    const struct vm_table *t = &w->vm->heap.table[VM_ID_HEAP];
    for (uint32_t i = 0; i < t->n; i++) {
        uint64_t p = vm_ptr(VM_ID_HEAP, i, 0);
        if (!t->obj[i] || vm_walk_is_met(w, p))
            continue;
        size_t at = begin_root(w);
        vm_walk_edge(w, p);
        end_root(w, at, ROOT_REST);
        vm_walk_queue(w);
    }
}

void vm_graph_visit(struct vm_walk *w, struct vm_obj *o)
{
    vm_walk_node(w, vm_renamed(w->renaming, o));
}

/* Writes the graph; false if it has real ids. */
static bool graph(struct vm *vm, const struct vm_renaming *renaming, size_t *n)
{
    struct vm_walk w;
    vm_walk_prepare(&w, vm);
    w.exact = true;
    w.renaming = renaming;
    graph_globals(&w);
    graph_registers(&w);
    if (w.raw) {
        graph_rest(&w);
        graph_ids(&w);
    }
    push_leaks(&w);
    *n = w.nvector;
    return !w.raw;
}

const uint64_t *vm_graph(struct vm *vm, size_t *n)
{
    assert(vm->finished && vm->options.contents && !vm->heap.readset.recording);
    size_t nlog = vm->heap.nlog;
    const uint64_t *least = vm_orbit_least(vm, graph, n);
    assert(vm->heap.nlog == nlog);
    (void)nlog;
    return least;
}
