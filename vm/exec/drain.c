/* drain.c - decides which stores can reach memory before anything else is done.
 *
 * The step by which the oldest store of a buffer reaches memory commutes with every step that
 * does not access the same bytes.  So it is put off until another thread is about to access
 * them: a buffer is drained as soon as one of its stores meets what another thread stands
 * before, or a store in another buffer.  Otherwise draining now and draining later, or never,
 * lead to the same: the thread itself does not notice, as it finds its stores in the buffer.
 * The end of the process or of the thread empties buffers.  (The reduction `drain` of
 * docs/REDUCTIONS.md.)
 *
 * A thread that waits for a word that it has stored itself is not known to wait until memory
 * has the store, so memory gets that at once. */
#include "buffer.h"
#include "history.h"
#include "vm/exec/access_log.h"
#include "vm/exec/call.h"
#include "vm/exec/listen.h"
#include "vm/exec/transition.h"

enum { MAX_PLACES = 16 };

/* The part of memory that another thread's next action may read. */
enum extent { NOTHING, RANGE, ANYTHING };

static const enum extent reads_of[] = {
#define VM_ACTION(name, text, orders, reads, shown) reads,
#include "vm/action.def"
};

static enum extent extent_of(const struct vm_insn *i, const struct vm_obj *frame,
                             struct vm_range *range)
{
    unsigned action;
    bool locked = i->flags & VM_SEQ_CST;
    switch (i->op) {
    case VM_OP_ASTORE:
        if (!locked)
            return NOTHING; /* it goes into its own buffer */
        break;
    case VM_OP_ALOAD:
    case VM_OP_RMW:
    case VM_OP_CMPXCHG: break;
    case VM_OP_FENCE:
    case VM_OP_LOOP:
    case VM_OP_LANDED: return NOTHING;
    case VM_OP_INTERRUPT_MEM:
        action = (unsigned)vm_get(frame, i->d) & ~(unsigned)(VM_ACT_CONDITIONAL | VM_ACT_READY);
        range->start = (uint32_t)vm_get(frame, i->a);
        range->object = vm_ptr_object(vm_get(frame, i->a));
        range->end = range->start + (uint32_t)vm_get(frame, i->b);
        return action < VM_ACT_COUNT ? reads_of[action] : ANYTHING;
    case VM_OP_STORE1:
    case VM_OP_STORE2:
    case VM_OP_STORE4:
    case VM_OP_STORE8:
    case VM_OP_STOREN: return NOTHING; /* so does a plain one, or it races with nobody's */
    default: return ANYTHING;
    }
    range->start = (uint32_t)vm_get(frame, i->a);
    range->object = vm_ptr_object(vm_get(frame, i->a));
    range->end = range->start + (uint32_t)(i->k & 255);
    return RANGE;
}

/* The extent of a thread's next action; NOTHING for a thread that has not begun. */
static enum extent next_extent(const struct vm *vm, uint64_t thread, struct vm_range *range)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, thread);
    const struct vm_insn *i;
    uint64_t frame = o ? o->data[0] : 0;
    const struct vm_function *f = frame ? vm_frame_function(vm, frame, &i) : NULL;
    if (!f || (uint32_t)vm_heap_get(&vm->heap, frame)->data[1] == 0)
        return NOTHING;
    return extent_of(i, vm_heap_get(&vm->heap, frame), range);
}

static bool meets(const struct vm_pending *store, uint64_t object, uint32_t start, uint32_t end)
{
    uint32_t from = (uint32_t)store->place;
    return vm_ptr_object(store->place) == object && from < end && start < from + store->size;
}

static bool any_meets(const struct vm_obj *buffer, const struct vm_range *range)
{
    struct vm_pending store;
    for (uint32_t w = 0; vm_buffer_next(buffer, &w, &store);)
        if (meets(&store, range->object, range->start, range->end))
            return true;
    return false;
}

static bool both_meet(const struct vm_obj *buffer, const struct vm_obj *other)
{
    struct vm_pending store;
    for (uint32_t w = 0; vm_buffer_next(other, &w, &store);) {
        struct vm_range range = {.object = vm_ptr_object(store.place),
                                 .start = (uint32_t)store.place,
                                 .end = (uint32_t)store.place + store.size};
        if (any_meets(buffer, &range))
            return true;
    }
    return false;
}

static bool matters(const struct vm *vm, uint64_t thread, const struct vm_obj *buffer,
                    const uint64_t *threads, size_t n)
{
    if (!vm->options.lazy_drains || vm->options.queries) /* a query can notice */
        return true;
    for (size_t k = 0; k < n; k++) {
        struct vm_range range = {0};
        if (threads[k] == thread)
            continue;
        enum extent extent = next_extent(vm, threads[k], &range);
        if (extent == ANYTHING || (extent == RANGE && any_meets(buffer, &range)) ||
            both_meet(buffer, vm_buffer_of(vm, threads[k])))
            return true;
    }
    return false;
}

/* Returns the thread with the number `wanted` among those whose buffers can be drained, or 0;
 * *found: how many such threads come before it. */
static uint64_t find(const struct vm *vm, size_t wanted, size_t *found)
{
    size_t n;
    const struct vm_obj *list = vm_list_threads(vm, &n);
    const uint64_t *threads = list ? list->data + vm_obj_words(list) - n : NULL;
    *found = 0;
    for (size_t k = 0; list && k < n; k++) {
        const struct vm_obj *buffer = vm_buffer_of(vm, threads[k]);
        if (!buffer || !matters(vm, threads[k], buffer, threads, n))
            continue;
        if ((*found)++ == wanted)
            return threads[k];
    }
    return 0;
}

size_t vm_drains(const struct vm *vm)
{
    size_t n;
    find(vm, SIZE_MAX, &n);
    return n;
}

static bool has_due(const struct vm *vm, uint64_t thread)
{
    struct vm_await await = vm_wait_of(vm, thread);
    struct vm_range word = {.object = vm_ptr_object(await.word),
                            .start = (uint32_t)await.word,
                            .end = (uint32_t)await.word + (uint32_t)sizeof(int)};
    return await.word && any_meets(vm_buffer_of(vm, thread), &word);
}

uint64_t vm_drain_due(const struct vm *vm)
{
    size_t n;
    const struct vm_obj *list = vm_list_threads(vm, &n);
    for (size_t k = 1; list && k <= n; k++)
        if (has_due(vm, list->data[vm_obj_words(list) - k]))
            return list->data[vm_obj_words(list) - k];
    return 0;
}

uint64_t vm_drain_of(const struct vm *vm, size_t k)
{
    size_t found;
    return find(vm, k, &found);
}

/* Tells the listener of the thread, and of the place of the store in the program. */
static void tell(struct vm *vm, uint64_t thread)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, thread), *buffer = vm_buffer_of(vm, thread);
    struct vm_pending store;
    uint32_t w = 0;
    struct vm_place places[MAX_PLACES];
    vm_buffer_next(buffer, &w, &store);
    vm_emit(vm, &(struct vm_event){.kind = VM_EVENT_TRACE,
                                   .trace = VM_TRACE_RUN,
                                   .data = (const char *)o->data + (uint32_t)thread,
                                   .len = sizeof(struct vm_trace_run)});
    bool has_value = store.size <= sizeof(uint64_t);
    uint64_t value = has_value ? vm_obj_get(buffer, store.at, store.size) : 0;
    vm_emit(vm, &(struct vm_event){
                    .kind = VM_EVENT_ACTION,
                    .action = VM_ACT_DRAIN,
                    .addr = store.place,
                    .size = store.size,
                    .has_written = has_value,
                    .written = value,
                    .is_pointer = store.size == sizeof value &&
                                  vm_obj_pointer(buffer, store.at, store.size) == 0xff,
                    .places = places,
                    .nplaces = vm_places_at(vm, store.site, places, MAX_PLACES),
                });
}

void vm_drain(struct vm *vm, uint64_t thread)
{
    if (vm->listener)
        tell(vm, thread);
    vm_buffer_drain(vm, thread);
}
