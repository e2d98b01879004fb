/* address_space.c - the memories of several processes (fork).
 *
 * Objects of all processes are in one heap, each under an id of its own: what a
 * process has at a fork is copied, and pointers in the copies point to copies.  Only
 * global variables have fixed ids.  A space is a kernel object with one pointer for
 * each global variable, to a process's copy of it; while a process runs, its copies
 * and what is in their places are exchanged.  At the end of a transition they go
 * back, so that a state does not tell who ran last. */
#include <stdlib.h>

#include "vm/exec/address_space.h"
#include "vm/exec/call.h"
#include "vm/exec/listen.h"
#include "vm/exec/register.h"
#include "vm/heap/memory.h"
#include "vm/heap/protect.h"
#include "vm/machine.h"

/* The objects that are reached from the roots, in the order in which they are found. */
struct reach {
    struct vm *vm;
    uint32_t *place[2]; /* of each object, heap and frames: 1 + where in the queue */
    uint32_t n[2];      /* how many there were at the start */
    uint64_t *queue, *copy;
    size_t nqueue, capacity;
};

static void reach_open(struct reach *r, struct vm *vm)
{
    *r = (struct reach){.vm = vm};
    for (unsigned k = 0; k < 2; k++) {
        r->n[k] = vm->heap.table[k].n;
        r->place[k] = vm_zeros(r->n[k] + 1, sizeof *r->place[k]);
    }
}

static void reach_close(struct reach *r)
{
    free(r->place[0]);
    free(r->place[1]);
    free(r->queue);
    free(r->copy);
}

static bool is_reached(const struct reach *r, uint64_t p)
{
    unsigned region = vm_ptr_region(p);
    return region <= VM_ID_FRAME && vm_ptr_index(p) < r->n[region] &&
           r->place[region][vm_ptr_index(p)];
}

static void reach(struct reach *r, uint64_t p)
{
    unsigned region = vm_ptr_region(p);
    if (region > VM_ID_FRAME || vm_ptr_index(p) >= r->n[region] || is_reached(r, p) ||
        !vm_heap_get(&r->vm->heap, p))
        return;
    if (r->nqueue == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 256;
        r->queue = vm_resize(r->queue, r->capacity * sizeof *r->queue);
    }
    r->queue[r->nqueue++] = vm_ptr_object(p);
    r->place[region][vm_ptr_index(p)] = (uint32_t)r->nqueue;
}

/* Follows a pointer in memory.  Frames and kernel objects do not become part of a process's
 * memory by being pointed to. */
static void reach_pointed(struct reach *r, uint64_t p, bool of_library)
{
    const struct vm_obj *o = vm_ptr_region(p) == VM_ID_HEAP ? vm_heap_get(&r->vm->heap, p) : 0;
    if (o && vm_obj_kind(o) != VM_OBJ_MAPPED && (o->kind != VM_OBJ_KERNEL || of_library))
        reach(r, p);
}

/* Follows an object's pointers; false if one is not whole and aligned: such a pointer cannot be
 * followed. */
static bool follow(struct reach *r, const struct vm_obj *o, bool of_library)
{
    const uint16_t *shadow = vm_obj_shadow((struct vm_obj *)o);
    bool whole = true;
    for (uint32_t w = 0; w < vm_obj_words(o); w++) {
        if (shadow[w] >> 8 == 0xff)
            reach_pointed(r, o->data[w], of_library);
        else
            whole &= shadow[w] >> 8 == 0;
    }
    if (o->kind != VM_OBJ_FRAME)
        return whole;
    reach(r, o->data[0]); /* the caller */
    for (uint32_t a = o->link; a;) {
        reach(r, vm_ptr(VM_ID_HEAP, a, 0));
        a = vm_heap_get(&r->vm->heap, vm_ptr(VM_ID_HEAP, a, 0))->link;
    }
    return whole;
}

static bool reach_all(struct reach *r)
{
    const struct vm_table *globals = &r->vm->heap.table[VM_ID_GLOBAL];
    bool whole = true;
    for (uint32_t i = 0; i < globals->n; i++)
        whole &= follow(r, globals->obj[i], globals->obj[i]->kind == VM_OBJ_LIBRARY);
    for (size_t k = 0; k < r->nqueue; k++)
        whole &= follow(r, vm_heap_get(&r->vm->heap, r->queue[k]), false);
    return whole;
}

static uint64_t copied(const struct reach *r, uint64_t p)
{
    if (!is_reached(r, p))
        return p;
    return r->copy[r->place[vm_ptr_region(p)][vm_ptr_index(p)] - 1] + (p - vm_ptr_object(p));
}

static uint64_t copy_object(struct vm *vm, const struct vm_obj *o)
{
    uint64_t p = vm_heap_make(&vm->heap, o->size, o->kind, o->site);
    struct vm_obj *made = vm_heap_get(&vm->heap, p);
    vm_obj_move(made, 0, o, 0, o->size);
    made->flags |= o->flags & (VM_SHARED | VM_VARIADIC);
    if (o->kind == VM_OBJ_FRAME) {
        made->flags |= o->flags & VM_JUMPED_TO;
        vm_note_frame(vm, p); /* its pointers lead elsewhere: they are told when they are set */
    }
    if (o->kind == VM_OBJ_FRAME || o->kind == VM_OBJ_STACK)
        made->link = o->link;
    if (o->kind == VM_OBJ_STACK)
        vm_obj_set_owner(made, vm_obj_owner(o));
    for (uint32_t k = 0; o->kind & VM_OBJ_PROTECTED && k < vm_obj_pages(o->size); k++)
        vm_page_set(made, k, vm_page_at(o, k));
    return p;
}

static void rename_pointers(const struct reach *r, struct vm_obj *o)
{
    const uint16_t *shadow = vm_obj_shadow(o);
    for (uint32_t w = 0; w < vm_obj_words(o); w++)
        if (shadow[w] >> 8 == 0xff)
            o->data[w] = copied(r, o->data[w]);
    if (o->link)
        o->link = vm_ptr_index(copied(r, vm_ptr(VM_ID_HEAP, o->link, 0)));
    if (o->kind == VM_OBJ_STACK)
        vm_obj_set_owner(o, vm_ptr_index(copied(r, vm_ptr(VM_ID_FRAME, vm_obj_owner(o), 0))));
}

static uint64_t copy_globals(const struct reach *r)
{
    struct vm *vm = r->vm;
    uint32_t n = vm->heap.table[VM_ID_GLOBAL].n;
    uint64_t space = vm_heap_make(&vm->heap, n * 8, VM_OBJ_KERNEL, 0);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t p = copy_object(vm, vm->heap.table[VM_ID_GLOBAL].obj[i]);
        rename_pointers(r, vm_heap_get(&vm->heap, p));
        vm_set(vm_heap_get(&vm->heap, space), i, p, 0xffff);
    }
    return space;
}

static void reach_roots(struct reach *r, uint64_t list)
{
    const struct vm_obj *o = vm_heap_get(&r->vm->heap, list);
    for (uint32_t w = (uint32_t)list / 8; o && w < vm_obj_words(o) && o->data[w]; w++)
        reach(r, o->data[w]);
}

static bool is_whole(struct reach *r, uint64_t list)
{
    reach_roots(r, list);
    return reach_all(r);
}

static void copy_all(struct reach *r)
{
    struct vm_heap *heap = &r->vm->heap;
    r->copy = vm_alloc((r->nqueue + 1) * sizeof *r->copy);
    for (size_t k = 0; k < r->nqueue; k++)
        r->copy[k] = copy_object(r->vm, vm_heap_get(heap, r->queue[k]));
    for (size_t k = 0; k < r->nqueue; k++)
        rename_pointers(r, vm_heap_get(heap, r->copy[k]));
}

/* Replaces the pointers of the list of roots by those of the copies. */
static void tell_copies(const struct reach *r, uint64_t list)
{
    struct vm_heap *heap = &r->vm->heap;
    struct vm_obj *o = vm_heap_own(heap, list, vm_heap_get(heap, list));
    for (uint32_t w = (uint32_t)list / 8; w < vm_obj_words(o) && o->data[w]; w++)
        o->data[w] = copied(r, o->data[w]);
}

/* Forks.  The frame that forks goes on in both processes: one gets the space, the copy 0. */
enum vm_step vm_fork(struct vm *vm, const struct vm_insn *i, uint64_t list)
{
    struct vm_heap *heap = &vm->heap;
    struct reach r;
    const char *why = NULL;
    if (!vm->forks)
        vm_break(vm, VM_ASSUMES_FORKS);
    if (!vm->forks)
        return vm_fault(vm, VM_FAULT_SYSCALL, "fork in a search without forks");
    if (vm->broken >> VM_ASSUMES_ADDRESSES & 1 || vm->options.addresses_matter)
        why = "fork is not supported in a program that looks at addresses";
    reach_open(&r, vm);
    if (!why && !is_whole(&r, list))
        why = "fork is not supported while memory holds part of a pointer";
    if (why) {
        reach_close(&r);
        return vm_fault(vm, VM_FAULT_SYSCALL, "%s", why);
    }
    copy_all(&r);
    uint64_t space = copy_globals(&r);
    struct vm_obj *child = vm_heap_get(heap, copied(&r, vm->s.frame));
    vm_set(child, i->d, 0, 0x00ff);
    child->data[1]++;
    tell_copies(&r, list);
    vm_set(vm_heap_own(heap, vm->s.frame, vm_heap_get(heap, vm->s.frame)), i->d, space, 0xffff);
    reach_close(&r);
    return VM_STEP_NEXT;
}

/* ---- who is in ------------------------------------------------------------------- */

static void exchange(struct vm *vm, uint64_t space)
{
    const struct vm_obj *list = vm_heap_get(&vm->heap, space);
    for (uint32_t i = 0; i < vm->heap.table[VM_ID_GLOBAL].n; i++)
        vm_heap_exchange(&vm->heap, vm_ptr(VM_ID_GLOBAL, i, 0), list->data[i]);
}

bool vm_address_space_enter(struct vm *vm, uint64_t space)
{
    uint64_t *in = &vm->s.reg[VM_REG_ADDRESS_SPACE];
    const struct vm_obj *list = space ? vm_heap_get(&vm->heap, space) : NULL;
    if (space && (!list || list->size != vm->heap.table[VM_ID_GLOBAL].n * 8))
        return false;
    if (*in == space)
        return true;
    if (*in)
        exchange(vm, *in);
    if (space)
        exchange(vm, space);
    *in = space;
    return true;
}

uint64_t vm_address_space_place(const struct vm *vm, uint64_t p)
{
    uint64_t space = vm->s.reg[VM_REG_ADDRESS_SPACE];
    if (!space || vm_ptr_region(p) != VM_ID_GLOBAL)
        return p;
    return vm_heap_get(&vm->heap, space)->data[vm_ptr_index(p)] + (p - vm_ptr_object(p));
}

/* ---- the end of a process -------------------------------------------------------- */

/* Frees the globals of the process that has ended. */
static void drop_globals(struct vm *vm)
{
    struct vm_heap *heap = &vm->heap;
    uint64_t space = vm->s.reg[VM_REG_ADDRESS_SPACE];
    uint32_t n = heap->table[VM_ID_GLOBAL].n;
    vm_address_space_enter(vm, 0);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t p = vm_ptr(VM_ID_GLOBAL, i, 0);
        struct vm_obj *o = vm_heap_get(heap, p);
        if (space)
            vm_heap_free(heap, vm_heap_get(heap, space)->data[i]);
        else
            vm_obj_fill(vm_heap_own(heap, p, o), 0, o->size, 0, 0xff);
    }
    if (space)
        vm_heap_free(heap, space);
}

/* Leaves out the running frames: they are freed when they stop. */
static void leave_out_running(struct reach *r)
{
    const struct vm_heap *heap = &r->vm->heap;
    for (uint64_t p = r->vm->s.frame; p; p = vm_heap_get(heap, p)->data[0]) {
        for (uint32_t a = vm_heap_get(heap, p)->link; a;) {
            r->place[VM_ID_HEAP][a] = 0;
            a = vm_heap_get(heap, vm_ptr(VM_ID_HEAP, a, 0))->link;
        }
        r->place[VM_ID_FRAME][vm_ptr_index(p)] = 0;
    }
}

/* Frees what only the process that has ended can reach.  A pointer that went through a pipe is
 * no sign of belonging: what others reach stays. */
void vm_address_space_drop(struct vm *vm, uint64_t list)
{
    struct reach r;
    reach_open(&r, vm);
    (void)is_whole(&r, list);
    leave_out_running(&r);
    drop_globals(vm);
    vm_reach_mark(&vm->heap, vm->s.reg[VM_REG_STATE]);
    for (size_t k = 0; k < r.nqueue; k++)
        if (is_reached(&r, r.queue[k]) && !vm_reach_number(&vm->heap, r.queue[k]))
            vm_heap_free(&vm->heap, r.queue[k]);
    reach_close(&r);
}
