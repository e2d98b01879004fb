/* drain.c - which stores can reach memory before anything else is done.
 *
 * That the oldest store of a buffer reaches memory commutes with all that does not access the
 * same bytes: so it can wait, until somebody is about to.  A buffer is drained as soon as one
 * of its stores meets what another thread stands before, or a store in another buffer; else
 * whatever comes of draining it now comes of draining it later, or never, which its thread does
 * not notice (it finds its stores in the buffer).  What ends the process or the thread empties
 * buffers. (The reduction `drain` of docs/REDUCTIONS.md.)
 *
 * A thread that waits for a word that it has stored itself is not known to wait before memory
 * has the store: which it then gets at once. */
#include "buffer.h"
#include "history.h"
#include "vm/exec/access_log.h"
#include "vm/exec/call.h"
#include "vm/exec/listen.h"
#include "vm/exec/transition.h"

enum { MAX_PLACES = 16 };

/* What another thread's next action may look at in memory. */
enum look { NOTHING, RANGE, ANYTHING };

static const enum look reads_of[] = {
#define VM_ACTION(name, text, orders, reads, shown) reads,
#include "vm/action.def"
};

static enum look look_of(const struct vm_insn *i, const struct vm_obj *frame,
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

/* Of a thread that has not begun, up to its first action: nothing. */
static enum look look_ahead(const struct vm *vm, uint64_t thread, struct vm_range *range)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, thread);
    const struct vm_insn *i;
    uint64_t frame = o ? o->data[0] : 0;
    const struct vm_function *f = frame ? vm_frame_function(vm, frame, &i) : NULL;
    if (!f || (uint32_t)vm_heap_get(&vm->heap, frame)->data[1] == 0)
        return NOTHING;
    return look_of(i, vm_heap_get(&vm->heap, frame), range);
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
        enum look look = look_ahead(vm, threads[k], &range);
        if (look == ANYTHING || (look == RANGE && any_meets(buffer, &range)) ||
            both_meet(buffer, vm_buffer_of(vm, threads[k])))
            return true;
    }
    return false;
}

/* The k-th thread of those that can drain, and how many are before it if there is none. */
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

/* The thread, and where the program has the store. */
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
