/* buffer.c - see buffer.h. */
#include "buffer.h"

#include "vm/exec/access.h"
#include "vm/exec/access_log.h"
#include "vm/exec/atomic.h"
#include "vm/exec/call.h"
#include "vm/exec/listen.h"
#include "vm/heap/memory.h"

enum { HEAD = 3, WORD = 8 };

/* ---- one buffer ------------------------------------------------------------------ */

static uint32_t words(uint32_t bytes)
{
    return (bytes + WORD - 1) / WORD;
}

static const struct vm_obj *record_of(const struct vm *vm, uint64_t thread)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, thread);
    return o && o->size >= sizeof(struct vm_trace_run) ? o : NULL;
}

/* Returns the place of a thread's buffer; 0 if the thread can have none. */
static uint64_t place_of(const struct vm *vm, uint64_t thread)
{
    const struct vm_obj *o = record_of(vm, thread);
    uint64_t number = o ? o->data[VM_TID_WORD] : 0;
    bool has_home = number && number < VM_DEEPER / VM_BLOCK;
    return has_home ? vm_ptr(VM_ID_FRAME, (uint32_t)(VM_BUFFERS + number * VM_BLOCK), 0) : 0;
}

static uint64_t running(const struct vm *vm)
{
    return vm->s.reg[VM_REG_USER];
}

const struct vm_obj *vm_buffer_of(const struct vm *vm, uint64_t thread)
{
    uint64_t p = place_of(vm, thread);
    return p ? vm_heap_get(&vm->heap, p) : NULL;
}

const struct vm_obj *vm_buffer_of_running(const struct vm *vm)
{
    return vm->s.buffered ? vm_buffer_of(vm, running(vm)) : NULL;
}

bool vm_buffer_next(const struct vm_obj *buffer, uint32_t *w, struct vm_pending *store)
{
    if (!buffer || *w >= vm_obj_words(buffer))
        return false;
    *store = (struct vm_pending){.place = buffer->data[*w],
                                 .size = (uint32_t)buffer->data[*w + 1],
                                 .site = buffer->data[*w + 2],
                                 .at = (*w + HEAD) * WORD};
    *w += HEAD + words(store->size);
    return true;
}

static bool meets(const struct vm_pending *store, uint64_t p, uint64_t size)
{
    uint64_t at = (uint32_t)store->place, to = (uint32_t)p;
    return vm_ptr_object(store->place) == vm_ptr_object(p) && at < to + size &&
           to < at + store->size;
}

static bool covers(const struct vm_pending *store, uint64_t p, uint64_t size)
{
    uint64_t at = (uint32_t)store->place, to = (uint32_t)p;
    return vm_ptr_object(store->place) == vm_ptr_object(p) && at <= to &&
           to + size <= at + store->size;
}

/* Finds the last store of any of these bytes. */
static bool last_of(const struct vm_obj *buffer, uint64_t p, uint64_t size,
                    struct vm_pending *found)
{
    bool any = false;
    struct vm_pending store;
    for (uint32_t w = 0; vm_buffer_next(buffer, &w, &store);)
        if (meets(&store, p, size)) {
            any = true;
            *found = store;
        }
    return any;
}

static unsigned count(const struct vm_obj *buffer)
{
    struct vm_pending store;
    unsigned n = 0;
    for (uint32_t w = 0; vm_buffer_next(buffer, &w, &store);)
        n++;
    return n;
}

/* ---- into memory ----------------------------------------------------------------- */

/* Notes that a part of a pointer may have completed one in its word. */
static void doubt(struct vm *vm, const struct vm_obj *o, uint64_t p, uint32_t size)
{
    for (uint32_t w = (uint32_t)p / WORD; w <= ((uint32_t)p + size - 1) / WORD; w++) {
        const struct vm_obj *to =
            vm_shadow(o, w) >> 8 == 0xff ? vm_heap_get(&vm->heap, o->data[w]) : NULL;
        if (to)
            vm_heap_doubt(&vm->heap, to);
    }
}

/* Writes a store to memory, unless the thread itself has freed the object meanwhile. */
static void reach_memory(struct vm *vm, const struct vm_pending *store,
                         const struct vm_obj *buffer)
{
    uint64_t p = store->place;
    struct vm_obj *o = vm_heap_part(&vm->heap, p, store->size);
    if (!o || (uint64_t)(uint32_t)p + store->size > o->size || o->kind == VM_OBJ_CONST)
        return;
    bool pointer = store->size <= WORD && vm_obj_pointer(buffer, store->at, store->size);
    o = vm_heap_own_bytes(&vm->heap, p, o, store->size);
    vm_expose_ends(vm, p, store->size);
    vm_obj_move(o, (uint32_t)p, buffer, store->at, store->size);
    if (pointer && store->size < WORD)
        doubt(vm, o, p, store->size);
    if (vm_lets_escape(vm, o))
        vm_heap_spread(&vm->heap, p, store->size);
}

/* Gives the buffer another size.  The words from `from` on move to its beginning, or stay where
 * they are. */
static struct vm_obj *remake(struct vm *vm, uint64_t place, uint32_t from, uint32_t size)
{
    struct vm_obj *o = vm_heap_get(&vm->heap, place), *copy = o ? vm_obj_copy(o) : NULL;
    uint32_t kept = o ? o->size - from * WORD : 0;
    if (o)
        vm_heap_free(&vm->heap, place);
    if (size) {
        vm_heap_make_frame(&vm->heap, size, vm_ptr_index(place));
        o = vm_heap_get(&vm->heap, place);
        if (kept)
            vm_obj_move(o, 0, copy, from * WORD, kept < size ? kept : size);
    }
    if (copy)
        vm_obj_release(copy);
    return size ? o : NULL;
}

/* Lets the n oldest stores of a thread reach memory. */
static void drain(struct vm *vm, uint64_t thread, unsigned n)
{
    uint64_t place = place_of(vm, thread);
    const struct vm_obj *o = place ? vm_heap_get(&vm->heap, place) : NULL;
    struct vm_pending store;
    uint32_t w = 0;
    if (!o)
        return;
    struct vm_obj *buffer = vm_obj_copy(o);
    for (; n && vm_buffer_next(buffer, &w, &store); n--)
        reach_memory(vm, &store, buffer);
    remake(vm, place, w, buffer->size - w * WORD);
    vm_obj_release(buffer);
    if (thread == running(vm))
        vm->s.buffered = vm_buffer_of(vm, thread);
}

void vm_buffer_drain(struct vm *vm, uint64_t thread)
{
    drain(vm, thread, 1);
}

void vm_buffer_empty(struct vm *vm)
{
    if (vm->s.buffered)
        drain(vm, running(vm), UINT32_MAX);
}

void vm_buffer_empty_until(struct vm *vm, uint64_t p, uint64_t size)
{
    const struct vm_obj *buffer = vm_buffer_of_running(vm);
    struct vm_pending store;
    unsigned n = 0, last = 0;
    for (uint32_t w = 0; vm_buffer_next(buffer, &w, &store);) {
        n++;
        last = meets(&store, p, size) ? n : last;
    }
    if (last)
        drain(vm, running(vm), last);
}

void vm_buffer_arrive(struct vm *vm)
{
    if (!vm->buffers)
        return;
    vm->s.buffered = vm_buffer_of(vm, running(vm));
    if (vm->s.reg[VM_REG_FLAGS] & VM_FLAG_ALONE)
        vm_buffer_empty(vm);
}

enum vm_step vm_buffer_stop(struct vm *vm)
{
    if (vm->s.buffered && !vm->s.first && !vm_masked(vm))
        return vm_interrupt(vm);
    vm->s.first = false;
    return VM_STEP_NEXT;
}

/* ---- stores and loads ------------------------------------------------------------ */

bool vm_buffer_takes_plain(struct vm *vm, const struct vm_obj *o, uint64_t p, uint64_t size)
{
    struct vm_pending found;
    if (!vm->options.report_races && vm_buffer_takes(vm, o))
        return true;
    if (!vm->s.buffered || !last_of(vm_buffer_of_running(vm), p, size, &found))
        return false;
    if (!vm_masked(vm))
        return true;
    vm_buffer_empty_until(vm, p, size);
    return false;
}

static void put(struct vm_obj *o, uint32_t w, uint64_t value, bool pointer)
{
    vm_set(o, w, value, pointer ? 0xffff : 0x00ff);
}

enum vm_step vm_buffer_put(struct vm *vm, uint64_t p, uint64_t size, const struct vm_obj *from,
                           uint32_t at)
{
    uint64_t place = place_of(vm, running(vm));
    if (!place)
        return vm_fault(vm, VM_FAULT_UNSUPPORTED, "--memory=tso with more than %d threads",
                        VM_DEEPER / VM_BLOCK - 1);
    struct vm_obj *kept = vm_obj_new((uint32_t)size, VM_OBJ_HEAP);
    vm_obj_move(kept, 0, from, at, (uint32_t)size); /* what follows may move `from` */
    if (count(vm_buffer_of_running(vm)) >= VM_BUFFER_STORES)
        vm_buffer_drain(vm, running(vm));
    const struct vm_obj *old = vm_buffer_of_running(vm);
    uint32_t w = old ? vm_obj_words(old) : 0;
    struct vm_obj *o = remake(vm, place, 0, (w + HEAD + words((uint32_t)size)) * WORD);
    put(o, w, p, true);
    put(o, w + 1, size, false);
    put(o, w + 2, vm_user_site(vm), false);
    for (uint32_t k = w + HEAD; k < vm_obj_words(o); k++)
        put(o, k, 0, false); /* what is behind the bytes */
    vm_obj_move(o, (w + HEAD) * WORD, kept, 0, (uint32_t)size);
    vm_obj_release(kept);
    vm_heap_spread(&vm->heap, place + (uint64_t)(w + HEAD) * WORD, (uint32_t)size);
    vm_note_access(vm, &(struct vm_range){.object = vm_ptr_object(p),
                                          .start = (uint32_t)p,
                                          .end = (uint32_t)p + (uint32_t)size,
                                          .kind = VM_WRITES});
    vm->s.buffered = true;
    return VM_STEP_NEXT;
}

enum vm_buffered vm_buffer_find(const struct vm *vm, uint64_t p, uint64_t size,
                                struct vm_pending *found)
{
    if (!vm->s.buffered || !last_of(vm_buffer_of_running(vm), p, size, found))
        return VM_IN_MEMORY;
    if (!covers(found, p, size))
        return VM_IN_BOTH;
    found->at += (uint32_t)p - (uint32_t)found->place;
    return VM_IN_BUFFER;
}

/* Writes a store over what the thread sees, as far as the two overlap. */
static void lay_over(struct vm_obj *view, uint64_t p, const struct vm_obj *buffer,
                     const struct vm_pending *store)
{
    uint32_t start = (uint32_t)p, end = start + view->size, from = (uint32_t)store->place,
             to = from + store->size;
    from = from > start ? from : start;
    to = to < end ? to : end;
    vm_obj_move(view, from - start, buffer, store->at + (from - (uint32_t)store->place),
                to - from);
}

struct vm_obj *vm_buffer_view(const struct vm *vm, uint64_t p, uint64_t size)
{
    struct vm_obj *view = vm_obj_new((uint32_t)size, VM_OBJ_HEAP);
    const struct vm_obj *buffer = vm_buffer_of_running(vm);
    struct vm_pending store;
    vm_obj_move(view, 0, vm_heap_part(&vm->heap, p, size), (uint32_t)p, (uint32_t)size);
    for (uint32_t w = 0; vm_buffer_next(buffer, &w, &store);)
        if (meets(&store, p, size))
            lay_over(view, p, buffer, &store);
    return view;
}

/* ---- all threads ----------------------------------------------------------------- */

void vm_buffer_call(struct vm *vm, enum vm_action action)
{
    size_t n;
    const struct vm_obj *o = vm->buffers ? vm_list_threads(vm, &n) : NULL;
    vm_buffer_empty(vm);
    for (size_t k = 1; o && action == VM_ACT_PROCESS_EXIT && k <= n; k++)
        drain(vm, o->data[vm_obj_words(o) - k], UINT32_MAX);
}

enum vm_step vm_buffers_leave(struct vm *vm, uint64_t p, const struct vm_obj *o,
                              enum vm_fault_kind kind, const char *what)
{
    size_t n;
    uint32_t size = o->size ? o->size : 1;
    const struct vm_obj *list = vm->buffers ? vm_list_threads(vm, &n) : NULL;
    for (size_t k = 1; list && k <= n; k++) {
        struct vm_pending store;
        uint64_t thread = list->data[vm_obj_words(list) - k];
        if (thread == running(vm) || !last_of(vm_buffer_of(vm, thread), p, size, &store))
            continue;
        struct vm_entry entry = {thread,
                                 {.object = vm_ptr_object(store.place),
                                  .start = (uint32_t)store.place,
                                  .end = (uint32_t)store.place + store.size,
                                  .kind = VM_WRITES}};
        return (enum vm_step)vm_race_fault_as(vm, kind, &entry, p, size, what);
    }
    return VM_STEP_NEXT;
}

uint64_t vm_buffers_hide(const struct vm *vm, uint64_t p, uint32_t size, struct vm_value *value)
{
    size_t n;
    const struct vm_obj *list = vm->buffers ? vm_list_threads(vm, &n) : NULL;
    for (size_t k = 1; list && k <= n; k++) {
        struct vm_pending store;
        uint64_t thread = list->data[vm_obj_words(list) - k];
        const struct vm_obj *buffer = thread == running(vm) ? NULL : vm_buffer_of(vm, thread);
        if (!last_of(buffer, p, size, &store) || !covers(&store, p, size))
            continue;
        uint32_t at = store.at + ((uint32_t)p - (uint32_t)store.place);
        *value = vm_value_at(buffer, at, size);
        return thread;
    }
    return 0;
}
