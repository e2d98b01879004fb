/* access_log.c - the accesses of a transition, for searches that ask which transitions
 * commute.
 *
 * Listed are accesses to objects that are shared, the kernel's or the libraries'.
 * (Frames and private objects belong to one thread; the scheduler's own accesses are
 * those of nobody; what the kernel does under VM_FLAG_COMMUTES commutes.) */
#include <stdlib.h>
#include <string.h>

#include "vm/exec/access_log.h"
#include "vm/exec/late.h"
#include "vm/exec/mode.h"
#include "vm/exec/thread_state.h"
#include "vm/exec/transition.h"
#include "vm/heap/memory.h"
#include "vm/machine.h"

enum { LOOK_BACK = 4 };

/* Does an entry already say what the new one would? */
static bool covers(const struct vm_access *old, uint64_t p, uint64_t size, bool write,
                   enum vm_access_kind kind)
{
    return old->writes_if == VM_ACCESS_ALWAYS && !(old->orders & VM_ACCESS_SAME) &&
           old->addr <= p && p + size <= old->addr + old->size && old->kind == kind &&
           old->write >= write;
}

static struct vm_access *append(struct vm *vm, struct vm_access access)
{
    struct vm_access_log *access_log = &vm->access_log;
    vm_assert_not_late(vm);
    if (access_log->n == access_log->capacity) {
        access_log->capacity = access_log->capacity ? 2 * access_log->capacity : 32;
        access_log->at =
            vm_resize(access_log->at, access_log->capacity * sizeof *access_log->at);
    }
    access_log->at[access_log->n] = access;
    return &access_log->at[access_log->n++];
}

static void note_old(const struct vm *vm, uint64_t p, struct vm_access *access)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    if (!o || (uint64_t)(uint32_t)p + access->size > o->size)
        return;
    access->has_old = true;
    access->old = vm_obj_get(o, (uint32_t)p, access->size);
}

/* The bytes of a word, or of two. */
enum { WORD = 8, PAIR = 16 };

/* A hash of up to 8 bytes of an object, which is not 0. */
static uint64_t hash_word(const struct vm *vm, const struct vm_obj *o, uint32_t at, uint32_t n)
{
    static const uint64_t odd = 0x9e3779b97f4a7c15, other = 0xc2b2ae3d27d4eb4f;
    uint64_t value = vm_obj_get(o, at, n), mask = vm_obj_mask(o, at, n);
    uint8_t pointer = vm_obj_pointer(o, at, n);
    if (pointer)
        value = vm_named(vm, value);
    uint64_t hash = vm_fold_product(value ^ odd, mask ^ other);
    hash = vm_fold_product(hash ^ pointer, odd) + value;
    return hash | !hash;
}

/* A hash of up to 16 bytes, which is not 0; 0 if they are not there. */
static uint64_t hash_of(const struct vm *vm, uint64_t p, uint32_t n)
{
    static const uint64_t odd = 0xd6e8feb86659fd93;
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    uint32_t at = (uint32_t)p;
    if (!o || (uint64_t)at + n > o->size)
        return 0;
    o = vm_heap_part(&vm->heap, p, n);
    if (n <= WORD)
        return hash_word(vm, o, at, n);
    uint64_t hash = vm_fold_product(hash_word(vm, o, at, WORD), odd) ^
                    hash_word(vm, o, at + WORD, n - WORD);
    return hash | !hash;
}

/* Returns the entry of an access: a new one, or one of the same event that there was. */
static struct vm_access *put(struct vm *vm, uint64_t p, uint64_t size, bool write,
                             enum vm_access_kind kind)
{
    struct vm_access_log *access_log = &vm->access_log;
    uint64_t flags = vm->s.reg[VM_REG_FLAGS];
    if (flags & VM_FLAG_KERNEL && kind != VM_ACCESS_CHECK)
        kind = flags & VM_FLAG_READS_FIXED && !write ? VM_ACCESS_FIXED : VM_ACCESS_KERNEL;
    else if (kind == VM_ACCESS_PLAIN && !vm->options.report_races)
        kind = VM_ACCESS_ATOMIC;
    uint64_t name = vm_namer_call(&vm->heap.namer, p);
    for (size_t k = access_log->n, end = k > LOOK_BACK ? k - LOOK_BACK : 0; k-- > end;) {
        if (access_log->at[k].kind == VM_ACCESS_NEXT)
            break;
        if (covers(&access_log->at[k], name, size, write, kind))
            return &access_log->at[k];
    }
    struct vm_access *access = append(
        vm,
        (struct vm_access){.addr = name, .size = (uint32_t)size, .write = write, .kind = kind});
    if (write && size <= WORD)
        note_old(vm, p, access);
    else if (!write && size <= PAIR && vm->options.tells_found)
        access->found = hash_of(vm, p, access->size);
    if (write && kind == VM_ACCESS_PLAIN)
        access->operand = p;
    return access;
}

void vm_access_log_append(struct vm *vm, uint64_t p, uint64_t size, bool write,
                          enum vm_access_kind kind)
{
    if (size)
        put(vm, p, size, write, kind);
}

void vm_access_log_update(struct vm *vm, const struct vm_obj *o, uint64_t p, uint64_t size,
                          enum vm_access_if writes_if, uint64_t operand)
{
    bool equal = vm_obj_get(o, (uint32_t)p, size) == operand;
    if (vm_in_kernel(vm) || vm_in_section(vm) || o->flags & VM_LOGGED) {
        vm_log_access(vm, o, p, size, true, VM_ACCESS_ATOMIC);
        return;
    }
    if (!(o->flags & VM_SHARED) || !vm_access_log_on(vm))
        return;
    struct vm_access *access =
        put(vm, p, size, equal == (writes_if == VM_ACCESS_IF_EQUAL), VM_ACCESS_ATOMIC);
    access->writes_if = writes_if;
    access->operand = operand;
}

void vm_access_log_same(struct vm *vm, size_t entry, uint64_t p)
{
    struct vm_access *access = &vm->access_log.at[entry];
    access->orders |= VM_ACCESS_SAME;
    if (vm->options.tells_found)
        access->found = hash_of(vm, p, access->size);
}

void vm_access_log_picked(struct vm *vm, const struct vm_obj *o, uint64_t p, uint64_t size,
                          bool writes, bool last)
{
    bool always = vm_in_kernel(vm) || vm_in_section(vm) || o->flags & VM_LOGGED;
    size_t before = vm->access_log.n;
    vm_log_access(vm, o, p, size, writes || always, VM_ACCESS_ATOMIC);
    if (always || vm->access_log.n == before)
        return;
    struct vm_access *access = &vm->access_log.at[before];
    access->writes_if = writes ? VM_ACCESS_ALWAYS : VM_ACCESS_PERHAPS;
    access->has_old &= last;
}

void vm_access_log_fence(struct vm *vm, uint8_t orders)
{
    if (vm_access_log_on(vm))
        append(vm, (struct vm_access){.kind = VM_ACCESS_FENCE, .orders = orders});
}

void vm_access_log_ended(struct vm *vm, uint64_t thread)
{
    append(vm, (struct vm_access){.addr = vm_named(vm, thread), .kind = VM_ACCESS_ENDED});
}

void vm_access_log_next(struct vm *vm, struct vm_await await)
{
    if (vm->s.concurrent && !vm->s.scheduling)
        append(vm, (struct vm_access){.addr = vm_named(vm, await.word),
                                      .size = await.ready,
                                      .kind = VM_ACCESS_NEXT});
}

void vm_access_log_mark(const struct vm *vm, struct vm_access_log *mark)
{
    *mark = (struct vm_access_log){.n = vm->access_log.n};
    if (!mark->n)
        return;
    mark->at = vm_alloc(mark->n * sizeof *mark->at);
    memcpy(mark->at, vm->access_log.at, mark->n * sizeof *mark->at);
}

void vm_access_log_rollback(struct vm *vm, const struct vm_access_log *mark)
{
    vm->access_log.n = mark->n; /* the list was at least as long once */
    if (mark->n)
        memcpy(vm->access_log.at, mark->at, mark->n * sizeof *mark->at);
}

const struct vm_access *vm_accesses(const struct vm *vm, size_t *n)
{
    *n = vm->access_log.n;
    return vm->access_log.at;
}

uint64_t vm_written(const struct vm *vm, const struct vm_access *access)
{
    return access->size <= PAIR ? hash_of(vm, access->operand, access->size) : 0;
}

uint64_t vm_thread(const struct vm *vm)
{
    return vm_named(vm, vm->s.thread);
}

struct vm_await vm_wait_of(const struct vm *vm, uint64_t thread)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, thread);
    uint32_t at = (uint32_t)thread;
    if (!o || at + sizeof(struct vm_saved) > o->size)
        return (struct vm_await){0};
    struct vm_saved saved;
    memcpy(&saved, (const char *)o->data + at, sizeof saved);
    return (struct vm_await){(uint64_t)saved.word, saved.ready};
}

struct vm_await vm_awaited(const struct vm *vm)
{
    struct vm_await await = vm_wait_of(vm, vm->s.thread);
    await.word = vm_named(vm, await.word);
    return await;
}

const struct vm_obj *vm_list_threads(const struct vm *vm, size_t *n)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, vm->s.reg[VM_REG_STATE]);
    *n = 0;
    if (o && o->size >= sizeof(struct vm_threads))
        *n = (size_t)((const struct vm_threads *)o->data)->count;
    return o && *n <= o->size / sizeof(uint64_t) ? o : NULL;
}

/* Returns the record of a thread by its named pointer; 0 if the thread does not exist. */
static uint64_t find_thread(const struct vm *vm, uint64_t thread)
{
    size_t n;
    const struct vm_obj *o = vm_list_threads(vm, &n);
    const uint64_t *end = o ? o->data + o->size / sizeof *end : NULL;
    for (const uint64_t *at = end; o && at != end - n;)
        if (vm_named(vm, *--at) == thread)
            return *at;
    return 0;
}

struct vm_await vm_awaited_by(const struct vm *vm, uint64_t thread, bool *waits)
{
    uint64_t found = find_thread(vm, thread);
    struct vm_await await = found ? vm_wait_of(vm, found) : (struct vm_await){0};
    *waits = await.word && !vm_word_is_ready(vm, await.word, await.ready);
    await.word = vm_named(vm, await.word);
    return await;
}

bool vm_own_state_of(struct vm *vm, uint64_t thread, uint64_t state[2])
{
    uint64_t found = find_thread(vm, thread);
    return found && vm_thread_state(vm, found, state);
}

bool vm_own_state(struct vm *vm, uint64_t state[2])
{
    return vm->s.thread && vm_thread_state(vm, vm->s.thread, state);
}

enum vm_opacity vm_opacity(const struct vm *vm, size_t *from)
{
    *from = vm->s.opaque_from;
    return vm->s.opacity;
}
