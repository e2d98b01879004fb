/* mixed.c - see mixed.h. */
#include "mixed.h"

#include <stdatomic.h>

#include "relation.h"
#include "vm/exec/access_log.h"
#include "vm/exec/address_space.h"
#include "vm/heap/memory.h"
#include "vm/program.h"

enum { WORD = 8 };

/* With which manners does each one race, as bits? */
static const unsigned races[VM_MANNERS] = {
    [VM_PLAIN_READ] = 1 << VM_ATOMIC_WRITE,
    [VM_PLAIN_WRITE] = 1 << VM_ATOMIC_READ | 1 << VM_ATOMIC_WRITE,
    [VM_ATOMIC_READ] = 1 << VM_PLAIN_WRITE,
    [VM_ATOMIC_WRITE] = 1 << VM_PLAIN_READ | 1 << VM_PLAIN_WRITE,
    [VM_OBJECT_USE] = 1 << VM_OBJECT_END,
    [VM_OBJECT_END] = 1 << VM_OBJECT_USE,
};

/* Returns what is the same for an object in all executions: which global variable it is, or
 * what has made it. */
static uint64_t kind_of(const struct vm *vm, uint64_t place)
{
    const struct vm_obj *o =
        vm_ptr_region(place) <= VM_ID_FRAME ? vm_heap_get(&vm->heap, place) : NULL;
    return o ? o->site : vm_ptr_object(place);
}

static size_t hash_of(uint64_t kind, uint64_t word)
{
    uint64_t hash = (kind * 0xc2b2ae3d27d4eb4f + word) * 0x9e3779b97f4a7c15;
    return (size_t)(hash >> 32) % VM_MIXED_WORDS;
}

static size_t place_of(unsigned manner, size_t at)
{
    return manner * (size_t)VM_MIXED_WORDS + at;
}

/* Notes bytes of a word, as bits; does another manner of them race with this one? */
static bool is_mixed(struct vm_mixed *mixed, enum vm_manner manner, size_t at, uint8_t bytes)
{
    if (bytes & ~atomic_load(&mixed->bytes[place_of(manner, at)]))
        atomic_fetch_or(&mixed->bytes[place_of(manner, at)], bytes);
    for (unsigned other = 0; races[manner] >> other; other++)
        if (races[manner] >> other & 1 &&
            atomic_load(&mixed->bytes[place_of(other, at)]) & bytes)
            return true;
    return false;
}

/* Returns the bytes of a word that are in a range, as bits. */
static uint8_t bytes_of(uint64_t word, uint64_t start, uint64_t end)
{
    uint64_t first = word * WORD, bits = 0xff;
    if (start > first)
        bits <<= start - first;
    if (end < first + WORD)
        bits &= vm_low((uint32_t)(end - first));
    return (uint8_t)bits;
}

/* Is there another thread, or one that has ended and was not joined? */
static bool has_others(const struct vm *vm)
{
    size_t n = 0;
    return !(vm->s.reg[VM_REG_FLAGS] & VM_FLAG_ALONE) || (vm_list_threads(vm, &n) && n > 1);
}

void vm_mixed_end(struct vm *vm)
{
    if (!vm_order_running(vm) || vm_heap_get(&vm->heap, vm_order_running(vm)))
        return;
    vm_break(vm, VM_ASSUMES_APART);
    vm_break(vm, VM_ASSUMES_ENDS);
}

void vm_mixed_note(struct vm *vm, uint64_t p, uint64_t size, enum vm_manner manner)
{
    struct vm_mixed *mixed = vm->program->mixed;
    if (vm->options.mixed_accesses || !mixed || !size || !has_others(vm))
        return;
    uint64_t place = vm_address_space_place(vm, p), kind = kind_of(vm, place);
    uint64_t start = (uint32_t)place, end = start + size;
    for (uint64_t word = start / WORD; word * WORD < end; word++)
        if (is_mixed(mixed, manner, hash_of(kind, word), bytes_of(word, start, end))) {
            vm_break(vm, VM_ASSUMES_APART);
            return;
        }
}

/* Notes what is done to the object at p as a whole. */
static void note_object(struct vm *vm, uint64_t p, enum vm_manner manner)
{
    struct vm_mixed *mixed = vm->program->mixed;
    if (vm->options.atomic_uses || !mixed || !has_others(vm))
        return;
    uint64_t kind = kind_of(vm, vm_address_space_place(vm, p));
    if (is_mixed(mixed, manner, hash_of(kind, 0), 1))
        vm_break(vm, VM_ASSUMES_ENDS);
}

void vm_mixed_note_use(struct vm *vm, uint64_t p)
{
    note_object(vm, p, VM_OBJECT_USE);
}

void vm_mixed_note_end(struct vm *vm, uint64_t p)
{
    note_object(vm, p, VM_OBJECT_END);
}
