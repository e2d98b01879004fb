/* owner.c - owners of private objects, in programs that hide pointers.
 *
 * A pointer in pieces, or a number computed from one, does not tell the machine who can reach
 * its object.  So an object is shared as soon as its address becomes such a number ("exposed",
 * as in the provenance model PNVI-ae of C: only to exposed objects can a number lead).  Since
 * addresses are the same in all runs, a program may guess one all the same.  Therefore each
 * private object has an owner, the thread that made it, and every access from the program's
 * code asks for it: if another thread comes to the object, by whatever pointer, the search
 * starts again with all objects shared (VM_ASSUMES_PRIVATE).  Soundness rests on this question
 * alone; what is exposed only decides how seldom the answer is bad.
 *
 * The owner of an allocation is the thread's number, in `link`; that of a local variable is the
 * thread on whose stack its frame stands.  What a thread leaves when it ends is shared, so that
 * a number stands for one thread only.  Thread-local memory is always shared here, as are
 * objects that no thread has made. */
#include "vm/exec/access.h"
#include "vm/machine.h"

enum { MAX_OWNER = 0xffff };

static bool may_be_private(const struct vm_obj *o)
{
    return vm_obj_is_heap(o) || o->kind == VM_OBJ_STACK;
}

/* Returns the number of the running thread, 0 if none runs. */
static uint64_t running_thread(const struct vm *vm)
{
    const struct vm_obj *record = vm->s.thread ? vm_heap_get(&vm->heap, vm->s.thread) : NULL;
    return record ? vm_obj_tid(record) : 0;
}

void vm_owner_take(struct vm *vm, uint64_t p)
{
    if (!vm->heap.owners)
        return;
    struct vm_obj *o = vm_heap_get(&vm->heap, p);
    uint64_t thread = running_thread(vm);
    bool local = o->kind == VM_OBJ_STACK;
    if (o->kind == VM_OBJ_KERNEL || o->kind == VM_OBJ_FRAME)
        return;
    if (!may_be_private(o) || thread == 0 || (!local && thread > MAX_OWNER)) {
        vm_heap_share(&vm->heap, p);
        return;
    }
    o = vm_heap_own(&vm->heap, p, o);
    o->flags |= VM_GUARDED;
    if (!local)
        o->link = (uint32_t)thread;
}

static uint32_t thread_of_home(uint32_t frame)
{
    return frame % VM_DEEPER / VM_BLOCK;
}

/* Does the frame with this index stand on the running stack? */
static bool is_on_stack(const struct vm *vm, uint32_t frame)
{
    uint32_t running = vm_ptr_index(vm->s.frame);
    if (frame < VM_HOMES && running < VM_HOMES)
        return thread_of_home(frame) == thread_of_home(running);
    uint64_t p = vm->s.frame;
    while (p && vm_ptr_index(p) != frame)
        p = vm_heap_get(&vm->heap, p)->data[0];
    return p;
}

void vm_owner_ask_slowly(struct vm *vm, const struct vm_obj *o)
{
    if (o->flags & VM_SHARED || !may_be_private(o) || vm->s.scheduling)
        return;
    bool own = o->kind == VM_OBJ_STACK ? is_on_stack(vm, vm_obj_owner(o))
                                       : o->link == running_thread(vm);
    vm->heap.hidden |= !own;
}

void vm_owner_end(struct vm *vm)
{
    if (!vm->heap.owners)
        return;
    uint64_t thread = running_thread(vm);
    vm_readset_abort(&vm->heap); /* all objects are looked at */
    for (uint32_t i = 1; i < vm->heap.table[VM_ID_HEAP].n; i++) {
        uint64_t p = vm_ptr(VM_ID_HEAP, i, 0);
        const struct vm_obj *o = vm_heap_get(&vm->heap, p);
        if (o && vm_obj_is_heap(o) && o->link == thread)
            vm_heap_share(&vm->heap, p);
    }
}

/* ---- addresses that become numbers ----------------------------------------------- */

void vm_expose(struct vm *vm, uint64_t p)
{
    const struct vm_obj *o = vm->heap.owners ? vm_heap_get(&vm->heap, p) : NULL;
    if (o && may_be_private(o))
        vm_heap_share(&vm->heap, p);
}

static void expose_word(struct vm *vm, const struct vm_obj *o, uint32_t w)
{
    if (w < vm_obj_words(o) && vm_obj_shadow((struct vm_obj *)o)[w] >> 8 == 0xff)
        vm_expose(vm, o->data[w]);
}

void vm_expose_ends(struct vm *vm, uint64_t p, uint64_t n)
{
    const struct vm_obj *o = vm->heap.owners ? vm_heap_get(&vm->heap, p) : NULL;
    uint32_t from = (uint32_t)p, to = from + (uint32_t)n;
    if (!o || n == 0)
        return;
    if (from % 8)
        expose_word(vm, o, from / 8);
    if (to % 8)
        expose_word(vm, vm_heap_get(&vm->heap, p), to / 8);
}

void vm_expose_copied(struct vm *vm, uint64_t to, uint64_t from, uint64_t n)
{
    if (!vm->heap.owners)
        return;
    vm_expose_ends(vm, from, n);
    vm_expose_ends(vm, to, n);
    if ((to - from) % 8 == 0)
        return;
    for (uint32_t w = (uint32_t)from / 8; w <= ((uint32_t)from + n) / 8; w++)
        expose_word(vm, vm_heap_get(&vm->heap, from), w);
}
