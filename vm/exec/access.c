/* access.c - memory accesses that the interpreter does not do itself: those that are not plain,
 * private, whole and in bounds. */
#include <string.h>

#include "vm/exec/access.h"
#include "vm/exec/access_log.h"
#include "vm/exec/arith.h"
#include "vm/exec/atomic.h"
#include "vm/exec/buffer.h"
#include "vm/exec/call.h"
#include "vm/exec/late.h"
#include "vm/exec/listen.h"
#include "vm/exec/mode.h"
#include "vm/exec/observe.h"
#include "vm/exec/register.h"
#include "vm/machine.h"

static enum vm_step bad_pointer(struct vm *vm, uint64_t p, uint8_t pointer, uint64_t size,
                                bool write)
{
    const char *what = write ? "write" : "read";
    char text[256];
    if (p < 4096 && !pointer)
        return p ? vm_fault(vm, VM_FAULT_NULL, "%s through a null pointer plus %u", what,
                            (unsigned)p)
                 : vm_fault(vm, VM_FAULT_NULL, "%s through a null pointer", what);
    if (p < 1ull << 32 && !pointer) /* no object has such an address */
        return vm_fault(vm, VM_FAULT_INVALID_POINTER, "%s through an invalid pointer 0x%llx",
                        what, (unsigned long long)p);
    unsigned region = vm_ptr_region(p);
    bool local = vm_was_local(vm, p); /* ends as a whole */
    vm_describe_access(vm, p, local ? UINT64_MAX : size, text, sizeof text);
    if (region == VM_ID_CODE)
        return vm_fault(vm, VM_FAULT_INVALID_POINTER, "%s of code: %s", what, text);
    if (local)
        return vm_fault(vm, VM_FAULT_OUTLIVED, "%s of %s", what, text);
    if (region == VM_ID_HEAP && vm_ptr_index(p) < vm->heap.table[VM_ID_HEAP].n &&
        vm_ptr_index(p))
        return vm_fault(vm, VM_FAULT_USE_AFTER_FREE, "%s of %s", what, text);
    return vm_fault(vm, VM_FAULT_INVALID_POINTER, "%s through an invalid pointer 0x%llx", what,
                    (unsigned long long)p);
}

static bool may_touch_hidden(const struct vm *vm)
{
    uint64_t pc = vm_heap_get(&vm->heap, vm->s.frame)->data[1];
    return vm_may_touch_hidden(vm, vm->program->functions[vm_ptr_index(pc)].kernel);
}

enum vm_step vm_check(struct vm *vm, uint64_t p, uint8_t pointer, uint64_t size, bool write,
                      struct vm_obj **object)
{
    return vm_check_part(vm, p, pointer, size, write, size, object);
}

enum vm_step vm_check_part(struct vm *vm, uint64_t p, uint8_t pointer, uint64_t size,
                           bool write, uint64_t part, struct vm_obj **object)
{
    struct vm_obj *o = vm_heap_part(&vm->heap, p, part);
    if (__builtin_expect(o && pointer == 0xff && (uint64_t)(uint32_t)p + size <= o->size &&
                             !(write && o->kind == VM_OBJ_CONST) &&
                             !(o->kind & (VM_OBJ_HIDDEN | VM_OBJ_PROTECTED)),
                         1)) {
        vm_owner_ask(vm, o);
        *object = o;
        return vm_meet_others(vm, o);
    }
    if (!o || (p < 1ull << 32 && !pointer))
        return bad_pointer(vm, p, pointer, size, write);
    if (o->kind & VM_OBJ_HIDDEN && !may_touch_hidden(vm))
        return vm_fault(
            vm, VM_FAULT_INVALID_POINTER, "%s of what %s stands for", write ? "write" : "read",
            o->kind == VM_OBJ_KERNEL ? "a handle, such as a pthread_t," : "a jmp_buf");
    if ((uint64_t)(uint32_t)p + size > o->size && o->flags & VM_VARIADIC)
        return vm_fault(vm, VM_FAULT_BAD_VARARG,
                        "variadic argument %u is read, but %u were passed", (uint32_t)p / 8 + 1,
                        o->size / 8);
    if ((uint64_t)(uint32_t)p + size > o->size) {
        char text[256];
        vm_describe(vm, p, text, sizeof text);
        return vm_fault(vm, VM_FAULT_BOUNDS,
                        "%s of %llu bytes out of bounds: %s, which has %u bytes",
                        write ? "write" : "read", (unsigned long long)size, text, o->size);
    }
    if (write && o->kind == VM_OBJ_CONST) {
        char text[256];
        vm_describe(vm, p, text, sizeof text);
        return vm_fault(vm, VM_FAULT_WRITE_CONST, "write to a constant: %s", text);
    }
    if (pointer != 0xff)
        vm_heap_doubt(&vm->heap, o); /* whoever has it may have it from elsewhere */
    vm_owner_ask(vm, o);
    *object = o;
    enum vm_step step = vm_meet_others(vm, o);
    if (step == VM_STEP_NEXT && o->kind & VM_OBJ_PROTECTED)
        step = vm_ask_pages(vm, o, p, size, write);
    return step;
}

/* Is the access told to the listener after it, with its value?  If not, it is an action, which
 * was told before. */
static bool is_told_after(const struct vm *vm)
{
    return vm->options.race_free && vm->options.report_races;
}

/* Does what comes before a plain access to a shared object: a visible action, or an entry in
 * the footprint.  again: the instruction has done a visible access already, and this one
 * belongs to it. */
static enum vm_step plain_access(struct vm *vm, const struct vm_obj *o, uint64_t p,
                                 uint64_t size, bool write, bool again)
{
    if (size == 0)
        return VM_STEP_NEXT;
    bool seen = write && vm_is_queried(vm) && vm_observes(vm, p, o);
    if (vm_masked(vm) && !seen)
        return vm_race_masked_plain(vm, p, size, write, write ? "write" : "read");
    if (seen || !vm->options.race_free || !vm->options.report_races) {
        if (!vm->s.first && !again)
            return vm_interrupt(vm);
        vm->s.first = false;
        if (!is_told_after(vm))
            vm_emit(vm, &(struct vm_event){.kind = VM_EVENT_ACTION,
                                           .addr = p,
                                           .size = (uint32_t)size,
                                           .action = write ? VM_ACT_WRITE : VM_ACT_READ});
    }
    if (vm_masked(vm))
        return vm_race_masked_plain(vm, p, size, write, write ? "write" : "read");
    if (vm->options.report_races) {
        enum vm_step step = vm_race_plain(vm, p, size, write, write ? "write" : "read");
        if (step != VM_STEP_NEXT)
            return step;
        vm_race_add(vm, p, size, write);
    }
    return VM_STEP_NEXT;
}

static enum vm_step access_at(struct vm *vm, uint64_t p, uint16_t shadow, uint64_t size,
                              bool write, bool again, struct vm_obj **o)
{
    if ((shadow & 0xff) != 0xff)
        return vm_fault(vm, VM_FAULT_UNDEFINED, "%s through an undefined pointer",
                        write ? "write" : "read");
    enum vm_step step = vm_check(vm, p, (uint8_t)(shadow >> 8), size, write, o);
    if (step == VM_STEP_NEXT && (*o)->flags & VM_SHARED)
        step = plain_access(vm, *o, p, size, write, again);
    if (step == VM_STEP_NEXT)
        vm_log_access(vm, *o, p, size, write, VM_ACCESS_PLAIN);
    return step;
}

/* Lets stores that wait in the buffer reach memory first: the bytes that are read or written
 * now do not wait there. */
enum vm_step vm_access_plainly(struct vm *vm, uint64_t p, uint16_t shadow, uint64_t size,
                               bool write, struct vm_obj **o)
{
    enum vm_step step = access_at(vm, p, shadow, size, write, false, o);
    if (step == VM_STEP_NEXT && vm->s.buffered && (*o)->flags & VM_SHARED) {
        vm_buffer_empty(vm);
        *o = vm_heap_part(&vm->heap, p, size);
    }
    return step;
}

/* Tells the listener of a plain access.  value: NULL if there are too many bytes. */
static void tell_access(struct vm *vm, const struct vm_obj *o, uint64_t p, uint64_t n,
                        bool write, const uint64_t *value)
{
    bool seen = write && vm_is_queried(vm) && vm_observes(vm, p, o);
    if (!vm->listener || !is_told_after(vm) || !(o->flags & VM_SHARED) ||
        (vm_masked(vm) && !seen))
        return;
    uint64_t v = value ? *value : 0;
    bool pointer = value && n == 8 && vm_obj_pointer(o, (uint32_t)p, 8) == 0xff;
    vm_emit(vm, &(struct vm_event){.kind = seen ? VM_EVENT_ACTION : VM_EVENT_ACCESS,
                                   .addr = p,
                                   .size = (uint32_t)n,
                                   .action = write ? VM_ACT_WRITE : VM_ACT_READ,
                                   .has_read = value && !write,
                                   .has_written = value && write,
                                   .read = v,
                                   .written = v,
                                   .is_pointer = pointer});
}

static uint32_t bytes_of(const struct vm_insn *i)
{
    static const uint8_t bytes[VM_OP_COUNT] = {
        [VM_OP_LOAD1] = 1, [VM_OP_STORE1] = 1, [VM_OP_LOADX1] = 1, [VM_OP_STOREX1] = 1,
        [VM_OP_LOAD2] = 2, [VM_OP_STORE2] = 2, [VM_OP_LOADX2] = 2, [VM_OP_STOREX2] = 2,
        [VM_OP_LOAD4] = 4, [VM_OP_STORE4] = 4, [VM_OP_LOADX4] = 4, [VM_OP_STOREX4] = 4,
        [VM_OP_LOAD8] = 8, [VM_OP_STORE8] = 8, [VM_OP_LOADX8] = 8, [VM_OP_STOREX8] = 8,
    };
    return bytes[i->op] ? bytes[i->op] : (uint32_t)i->k;
}

static enum vm_step misaligned(struct vm *vm, uint64_t p, uint64_t n, uint64_t mask, bool write)
{
    char text[256];
    vm_describe(vm, p, text, sizeof text);
    return vm_fault(vm, VM_FAULT_MISALIGNED,
                    "misaligned %s of %llu byte%s: %s, where %llu bytes are the alignment",
                    write ? "write" : "read", (unsigned long long)n, n == 1 ? "" : "s", text,
                    (unsigned long long)mask + 1);
}

static bool is_indexed(const struct vm_insn *i)
{
    return i->op >= VM_OP_LOADX1 && i->op <= VM_OP_STOREX8;
}

/* Returns the address of a load or store, with the shadow that it has in the register. */
static uint64_t address_of(struct vm *vm, const struct vm_obj *f, const struct vm_insn *i,
                           uint16_t *shadow)
{
    uint64_t p = vm_get(f, i->a);
    uint8_t tags;
    *shadow = vm_shadow(f, i->a);
    if (is_indexed(i)) {
        *shadow = vm_index_address(vm, i, f, &p, &tags) ? (uint16_t)(tags << 8 | 0xff) : 0;
        return p;
    }
    return p + (uint64_t)(int32_t)i->b;
}

/* Returns an object of the kernel's own if its access has only to be logged, and logs it; else
 * NULL. */
static struct vm_obj *list_in_kernel(struct vm *vm, const struct vm_insn *i,
                                     const struct vm_obj *f, uint32_t n, bool write)
{
    if (!vm_access_log_on(vm) || !vm_in_kernel(vm) || is_indexed(i) ||
        vm_shadow(f, i->a) != 0xffff)
        return NULL;
    uint64_t p = vm_get(f, i->a) + (uint64_t)(int64_t)(int32_t)i->b;
    struct vm_obj *o = vm_heap_peek(&vm->heap, p);
    if (!o || (o->flags & (VM_SHARED | VM_LOGGED)) != VM_LOGGED || o->kind == VM_OBJ_CONST ||
        (uint64_t)(uint32_t)p + n > o->size || p & i->flags)
        return NULL;
    vm_access_log_append(vm, p, n, write, VM_ACCESS_KERNEL);
    return o;
}

/* Finds what a thread loads if it waits in the thread's buffer.  A store that has only a part
 * of it reaches memory first, as if that had happened in time. */
static void from_buffer(struct vm *vm, const struct vm_obj **o, uint32_t *at, uint64_t p,
                        uint64_t size)
{
    struct vm_pending found;
    if (!vm->s.buffered)
        return;
    enum vm_buffered where = vm_buffer_find(vm, p, size, &found);
    if (where == VM_IN_BUFFER) {
        *o = vm_buffer_of_running(vm);
        *at = found.at;
    } else if (where == VM_IN_BOTH) {
        vm_buffer_empty_until(vm, p, size);
        *o = vm_heap_part(&vm->heap, p, size);
    }
}

enum vm_step vm_slow_load(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint16_t shadow;
    uint32_t n = bytes_of(i);
    uint64_t p = address_of(vm, f, i, &shadow),
             low = is_indexed(i) ? vm_low(8 * n) : vm_low(i->w);
    struct vm_obj *o = list_in_kernel(vm, i, f, n, false);
    enum vm_step step = o ? VM_STEP_NEXT : access_at(vm, p, shadow, n, false, false, &o);
    if (step != VM_STEP_NEXT)
        return step;
    if (p & i->flags)
        return misaligned(vm, p, n, i->flags, false);
    const struct vm_obj *from = o;
    uint32_t at = (uint32_t)p;
    from_buffer(vm, &from, &at, p, n);
    uint64_t v = vm_obj_get(from, at, n), m = vm_obj_mask(from, at, n) | ~low;
    if (m != ~0ull)
        vm_note_undefined(vm, i, p, m);
    uint8_t pointer = vm_obj_pointer(from, at, n);
    vm_obj_put(f, i->d * 8, 8, v & low, m, pointer);
    tell_access(vm, o, p, n, false, m == ~0ull ? &v : NULL);
    if (pointer && (uint32_t)p % 8 + n > 4) /* the lower half is an offset */
        vm_expose_ends(vm, p, n);
    return VM_STEP_NEXT;
}

/* Does the store give an object the table of virtual functions that it already has? Destructors
 * begin with such a store even if the object's class stays the same; the program's source has
 * no such write. */
static bool keeps_vtable(const struct vm *vm, uint64_t p, uint32_t n, uint64_t v,
                         uint8_t pointer)
{
    bool constant = n == 8 && pointer == 0xff && vm_ptr_region(v) == VM_ID_CONST;
    const struct vm_obj *table = constant ? vm_heap_peek(&vm->heap, v) : NULL;
    if (!table || !(table->flags & VM_VTABLE))
        return false;
    const struct vm_obj *o = vm_heap_part(&vm->heap, p, n);
    return o && (uint64_t)(uint32_t)p + n <= o->size && vm_obj_get(o, (uint32_t)p, n) == v &&
           vm_obj_pointer(o, (uint32_t)p, n) == 0xff;
}

/* A part of a word was written: it may be a pointer to anything now. */
static void doubt_word(struct vm *vm, const struct vm_obj *o, uint32_t w)
{
    bool whole = vm_obj_shadow((struct vm_obj *)o)[w] >> 8 == 0xff;
    const struct vm_obj *to = whole ? vm_heap_get(&vm->heap, o->data[w]) : NULL;
    if (to)
        vm_heap_doubt(&vm->heap, to);
}

enum vm_step vm_slow_store(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint16_t shadow;
    uint32_t n = bytes_of(i);
    uint64_t p = address_of(vm, f, i, &shadow), m = vm_mask(f, i->d);
    uint8_t pointer = (uint8_t)(vm_shadow(f, i->d) >> 8);
    struct vm_obj *o = list_in_kernel(vm, i, f, n, true);
    bool same = !o && keeps_vtable(vm, p, n, vm_get(f, i->d), pointer);
    enum vm_step step = o ? VM_STEP_NEXT : access_at(vm, p, shadow, n, !same, false, &o);
    if (step != VM_STEP_NEXT)
        return step;
    if (p & i->flags)
        return misaligned(vm, p, n, i->flags, true);
    if (same)
        return VM_STEP_NEXT;
    uint64_t v = vm_get(f, i->d) & vm_low(8 * n);
    if (vm_buffer_takes_plain(vm, o, p, n)) {
        vm_expose_ends(vm, p, n);
        tell_access(vm, o, p, n, true, &v);
        if (pointer == VM_DERIVED || pointer & ~vm_low(n))
            vm_break(vm, VM_ASSUMES_ADDRESSES);
        return vm_buffer_put(vm, p, n, f, i->d * 8);
    }
    o = vm_heap_own_bytes(&vm->heap, p, vm_heap_part(&vm->heap, p, n), n);
    vm_expose_ends(vm, p, n);
    vm_obj_put(o, (uint32_t)p, n, v, m, pointer & (uint8_t)vm_low(n));
    tell_access(vm, o, p, n, true, &v);
    if (pointer == VM_DERIVED || pointer & ~vm_low(n)) /* see arith.c */
        vm_break(vm, VM_ASSUMES_ADDRESSES);
    if (pointer && n < 8)
        doubt_word(vm, o, (uint32_t)p / 8);
    if (pointer && vm_lets_escape(vm, o))
        vm_heap_spread(&vm->heap, p, n);
    return VM_STEP_NEXT;
}

static enum vm_step length(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                           uint64_t *n)
{
    if (vm_mask(f, i->b) != ~0ull)
        return vm_fault(vm, VM_FAULT_UNDEFINED, "the length is undefined");
    *n = vm_get(f, i->b);
    return VM_STEP_NEXT;
}

static enum vm_step overlap(struct vm *vm, uint64_t d, uint64_t s, uint64_t n)
{
    char to[256], from[256];
    vm_describe(vm, d, to, sizeof to);
    vm_describe(vm, s, from, sizeof from);
    return vm_fault(vm, VM_FAULT_OVERLAP,
                    "memcpy of %llu bytes between overlapping ranges: to %s, from %s",
                    (unsigned long long)n, to, from);
}

/* Stores bytes as the thread sees them, in memory or in the buffer. */
static enum vm_step store_bytes(struct vm *vm, uint64_t p, uint64_t n,
                                const struct vm_obj *from)
{
    struct vm_obj *to = vm_heap_part(&vm->heap, p, n);
    tell_access(vm, to, p, n, true, NULL);
    if (vm_buffer_takes_plain(vm, to, p, n))
        return vm_buffer_put(vm, p, n, from, 0);
    to = vm_heap_own_bytes(&vm->heap, p, vm_heap_part(&vm->heap, p, n), n);
    vm_obj_move(to, (uint32_t)p, from, 0, (uint32_t)n);
    if (vm_lets_escape(vm, to))
        vm_heap_spread(&vm->heap, p, (uint32_t)n);
    return VM_STEP_NEXT;
}

static enum vm_step copy_by_buffer(struct vm *vm, uint64_t d, uint64_t s, uint64_t n)
{
    struct vm_obj *view = vm_buffer_view(vm, s, n);
    vm_expose_copied(vm, d, s, n);
    tell_access(vm, vm_heap_part(&vm->heap, s, n), s, n, false, NULL);
    enum vm_step step = store_bytes(vm, d, n, view);
    vm_obj_release(view);
    return step;
}

static enum vm_step copy(struct vm *vm, const struct vm_insn *i, struct vm_obj *f, uint64_t n)
{
    uint64_t d = vm_get(f, i->d), s = vm_get(f, i->a);
    struct vm_obj *from, *to;
    bool turn = vm->s.first;
    enum vm_step step = access_at(vm, s, vm_shadow(f, i->a), n, false, false, &from);
    if (step != VM_STEP_NEXT)
        return step;
    bool again = turn && !vm->s.first;
    step = access_at(vm, d, vm_shadow(f, i->d), n, true, again, &to);
    if (step != VM_STEP_NEXT)
        return step;
    if (s & i->k)
        return misaligned(vm, s, n, i->k, false);
    if (d & i->flags)
        return misaligned(vm, d, n, i->flags, true);
    if (i->op == VM_OP_MEMCPY && vm_ptr_id(d) == vm_ptr_id(s) && d != s && d < s + n &&
        s < d + n)
        return overlap(vm, d, s, n);
    if (vm->s.buffered || vm_buffer_takes_plain(vm, to, d, n))
        return copy_by_buffer(vm, d, s, n);
    to = vm_heap_own_bytes(&vm->heap, d, to, n);
    vm_expose_copied(vm, d, s, n);
    from = vm_heap_get(&vm->heap, s);
    vm_obj_move(to, (uint32_t)d, from, (uint32_t)s, (uint32_t)n);
    tell_access(vm, from, s, n, false, NULL);
    tell_access(vm, to, d, n, true, NULL);
    if (vm_lets_escape(vm, to))
        vm_heap_spread(&vm->heap, d, (uint32_t)n);
    return VM_STEP_NEXT;
}

static enum vm_step fill_buffer(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                                uint64_t n)
{
    struct vm_obj *bytes = vm_obj_new((uint32_t)n, VM_OBJ_HEAP);
    vm_expose_ends(vm, vm_get(f, i->d), n);
    vm_obj_fill(bytes, 0, (uint32_t)n, (uint8_t)vm_get(f, i->a), (uint8_t)vm_mask(f, i->a));
    enum vm_step step = store_bytes(vm, vm_get(f, i->d), n, bytes);
    vm_obj_release(bytes);
    return step;
}

enum vm_step vm_block(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint64_t n = 0, d = vm_get(f, i->d);
    struct vm_obj *to;
    if (i->op == VM_OP_VA_COPY)
        return copy(vm, i, f, VM_VA_LIST);
    if (vm_is_halted(vm))
        return vm_halt(vm);
    enum vm_step step = length(vm, i, f, &n);
    if (step != VM_STEP_NEXT || n == 0)
        return step;
    if (i->op != VM_OP_MEMSET)
        return copy(vm, i, f, n);
    step = access_at(vm, d, vm_shadow(f, i->d), n, true, false, &to);
    if (step != VM_STEP_NEXT)
        return step;
    if (d & i->flags)
        return misaligned(vm, d, n, i->flags, true);
    if (vm_shadow(f, i->a) >> 8)
        vm_break(vm, VM_ASSUMES_ADDRESSES);
    if (vm_buffer_takes_plain(vm, to, d, n))
        return fill_buffer(vm, i, f, n);
    to = vm_heap_own_bytes(&vm->heap, d, vm_heap_part(&vm->heap, d, n), n);
    vm_expose_ends(vm, d, n);
    vm_obj_fill(to, (uint32_t)d, (uint32_t)n, (uint8_t)vm_get(f, i->a),
                (uint8_t)vm_mask(f, i->a));
    tell_access(vm, to, d, n, true, NULL);
    return VM_STEP_NEXT;
}

/* Copies a byval argument.  The copy stands in the list of the caller's variables until vm_call
 * takes it from there. */
enum vm_step vm_copy_argument(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    uint64_t at = vm_get(f, i->a);
    struct vm_obj *from;
    enum vm_step step = access_at(vm, at, vm_shadow(f, i->a), i->k, false, false, &from);
    if (step != VM_STEP_NEXT)
        return step;
    if (at & i->flags)
        return misaligned(vm, at, i->k, i->flags, false);
    uint64_t p = vm_alloca(vm, i->k);
    if (vm->s.buffered) {
        struct vm_obj *view = vm_buffer_view(vm, at, i->k);
        vm_obj_move(vm_heap_get(&vm->heap, p), 0, view, 0, (uint32_t)i->k);
        vm_obj_release(view);
    } else {
        from = vm_heap_get(&vm->heap, at);
        vm_obj_move(vm_heap_get(&vm->heap, p), 0, from, (uint32_t)at, (uint32_t)i->k);
    }
    vm_set(f, i->d, p, 0xffff);
    return VM_STEP_NEXT;
}
