/* forget.c - see forget.h. */
#include "forget.h"

#include "order.h"
#include "relation.h"
#include "stores.h"
#include "vm/exec/access_log.h"
#include "vm/exec/transition.h"
#include "vm/heap/memory.h"

static const struct vm_saved *saved_at(const struct vm *vm, uint64_t thread)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, thread);
    bool whole = o && (uint64_t)(uint32_t)thread + sizeof(struct vm_saved) <= o->size;
    return whole ? (const void *)((const char *)o->data + (uint32_t)thread) : NULL;
}

/* Has the thread begun?  One that has not will know what is passed on to it. */
static bool has_begun(const struct vm *vm, const struct vm_saved *saved)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, (uint64_t)saved->frame);
    return !o || (uint32_t)o->data[1] != 0;
}

/* Can the wait end before its word is ready: by a signal, cancelling, or since time is up? */
static bool may_give_up(const struct vm *vm, const struct vm_saved *saved)
{
    const struct vm_program *p = vm->program;
    const struct vm_boot *boot = (const void *)p->consts[p->boot_const].init->data;
    return saved->ready & VM_READY_OTHERWISE || p->interrupts || boot->options & VM_BOOT_PROMPT;
}

/* Returns the thread for whose end this one waits, and of which it will then know everything;
 * or 0. */
static uint64_t awaited_end(const struct vm *vm, uint64_t thread, const struct vm_saved *saved)
{
    uint64_t other = vm_ptr_object((uint64_t)saved->word);
    bool waits = other && !may_give_up(vm, saved) && other != vm_ptr_object(thread) &&
                 other != thread && vm_order_is_thread(vm, other) &&
                 !vm_word_is_ready(vm, (uint64_t)saved->word, saved->ready);
    return waits ? other : 0;
}

bool vm_order_is_thread(const struct vm *vm, uint64_t object)
{
    size_t n;
    const struct vm_obj *o = vm_list_threads(vm, &n);
    const uint64_t *end = o ? o->data + o->size / sizeof *end : NULL;
    for (size_t k = 1; o && k <= n; k++)
        if (end[-(ptrdiff_t)k] == object)
            return true;
    return false;
}

/* Returns by what a thread knows of items, as it stands at the end of a transition. */
static struct vm_knower knower_of(const struct vm *vm, uint64_t thread)
{
    const struct vm_order *o = vm->race.order;
    const struct vm_saved *saved = saved_at(vm, thread);
    struct vm_knower knower = {.thread = thread, .ended = !saved || !saved->frame};
    if (knower.ended)
        return knower;
    knower.holder =
        vm_order_find(o, (struct vm_holder){.thread = thread, .kind = VM_OF_THREAD});
    knower.kernel = has_begun(vm, saved) ? (uint32_t)VM_NO_HOLDER : vm_order_kernel(vm, thread);
    knower.awaits = awaited_end(vm, thread, saved);
    return knower;
}

/* Does the thread go on, or wait for something else than an end, so that no other thread knows
 * for it? */
static bool is_plain(const struct vm_knower *knower)
{
    return !knower->ended && knower->kernel == VM_NO_HOLDER && !knower->awaits;
}

/* Notes the plain threads' holders in a mask. */
static void note_plain(struct vm_order *o)
{
    uint64_t *mask = vm_order_mask(o, VM_MASK_KNOWERS);
    o->unknowing = false;
    for (size_t k = 0; k < o->nknowers; k++)
        if (is_plain(&o->knowers[k]) && o->knowers[k].holder == VM_NO_HOLDER)
            o->unknowing = true;
        else if (is_plain(&o->knowers[k]))
            vm_order_mask_add(mask, o->knowers[k].holder);
}

static void list_knowers(struct vm *vm)
{
    struct vm_order *o = vm->race.order;
    size_t n;
    const struct vm_obj *list = vm_list_threads(vm, &n);
    const uint64_t *end = list ? list->data + list->size / sizeof *end : NULL;
    if (n > o->max_knowers) {
        o->max_knowers = 2 * n;
        o->knowers = vm_resize(o->knowers, o->max_knowers * sizeof *o->knowers);
    }
    o->nknowers = list ? n : 0;
    for (size_t k = 0; k < o->nknowers; k++)
        o->knowers[k] = knower_of(vm, end[-(ptrdiff_t)k - 1]);
    note_plain(o);
}

static const struct vm_knower *find_knower(const struct vm_order *o, uint64_t thread)
{
    for (size_t k = 0; k < o->nknowers; k++)
        if (o->knowers[k].thread == thread)
            return &o->knowers[k];
    return NULL;
}

/* Does the thread know of the item, or will it?  In a chain of threads that wait for each
 * other's ends, each will know what the next one knows. */
static bool knows(const struct vm_order *o, const struct vm_knower *knower, size_t item)
{
    size_t left = o->nknowers;
    for (; knower && left--; knower = knower->awaits ? find_knower(o, knower->awaits) : NULL)
        if (knower->ended || vm_order_has(o, item, knower->holder) ||
            vm_order_has(o, item, knower->kernel))
            return true;
    return false;
}

static bool is_known_to_all(struct vm *vm, size_t item)
{
    struct vm_order *o = vm->race.order;
    const uint64_t *row = vm_order_row(o, VM_KNOWN, item);
    if (o->unknowing)
        return false;
    for (size_t w = 0; w < o->stride; w++) /* of most, some plain one does not know */
        if (o->masks[VM_MASK_KNOWERS][w] & ~row[w])
            return false;
    for (size_t k = 0; k < o->nknowers; k++)
        if (!is_plain(&o->knowers[k]) && !knows(o, &o->knowers[k], item))
            return false;
    return o->nknowers;
}

static bool is_gone(const struct vm *vm, const struct vm_holder *holder)
{
    if (!holder->thread)
        return false;
    if (holder->kind == VM_OF_KERNEL)
        return !vm_heap_get(&vm->heap, vm_ptr_object(holder->thread));
    const struct vm_saved *saved = saved_at(vm, holder->thread);
    return !saved || !saved->frame;
}

static void forget_threads(struct vm *vm)
{
    struct vm_order *o = vm->race.order;
    for (uint32_t k = 0; k < o->nholders; k++)
        if (is_gone(vm, &o->holders[k])) {
            o->changed |= o->holders[k].kind == VM_OF_RELEASE;
            vm_order_drop_holder(o, k);
        }
}

/* Returns the owner of what a thread did that is gone: the running thread has joined it, and
 * knows all that it did; or nobody, if that may have been in an earlier transition. */
static uint64_t heir(const struct vm *vm)
{
    return vm_order_lingers(vm) ? 0 : vm_order_running(vm);
}

static void forget_accesses(struct vm *vm)
{
    struct vm_order *o = vm->race.order;
    for (size_t k = o->nitems; k-- > 0;) {
        struct vm_entry *access = &o->items[k].access;
        if (o->items[k].kind == VM_ITEM_ACCESS &&
            (!vm_heap_get(&vm->heap, access->range.object) || is_known_to_all(vm, k))) {
            vm_order_drop(o, k);
        } else if (access->owner && !vm_heap_get(&vm->heap, access->owner)) {
            access->owner = heir(vm);
            o->changed = true;
        }
    }
}

/* Takes out of what an acquire fence would add what the thread knows anyway. */
static void settle_pending(struct vm_order *o)
{
    for (uint32_t k = 0; k < o->nholders; k++) {
        if (o->holders[k].kind != VM_OF_ACQUIRE)
            continue;
        uint32_t thread = vm_order_find(
            o, (struct vm_holder){.thread = o->holders[k].thread, .kind = VM_OF_THREAD});
        if (thread != VM_NO_HOLDER)
            vm_order_settle(o, k, thread);
    }
}

bool vm_order_lingers(const struct vm *vm)
{
    return vm->race.order->stays && !vm->options.mixed_accesses;
}

void vm_order_forget_known(struct vm *vm)
{
    struct vm_order *o = vm->race.order;
    forget_threads(vm);
    list_knowers(vm);
    forget_accesses(vm);
    vm_stores_forget(vm, is_known_to_all);
    if (o->values)
        settle_pending(o);
}
