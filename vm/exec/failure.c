/* failure.c - remembers of an error, while nobody listens, its kind and a number for its place,
 * so that errors can be told apart without executing the path to each of them. */
#include <string.h>

#include <xxhash.h>

#include "history.h"
#include "vm/exec/access_log.h"
#include "vm/exec/listen.h"
#include "vm/exec/transition.h"

enum { PLACES = 64 };

static uint64_t number_of(const struct vm_place *places, size_t n)
{
    for (size_t i = 0; i < n && i < PLACES; i++)
        if (!places[i].library && places[i].line)
            return XXH3_64bits_withSeed(places[i].file, strlen(places[i].file),
                                        places[i].line) |
                   1;
    return 0;
}

/* Returns the innermost place of the user's code; 0 if there is none. */
static uint64_t place_of_frame(const struct vm *vm, uint64_t frame)
{
    struct vm_place places[PLACES];
    return number_of(places, vm_stack(vm, frame, places, PLACES));
}

/* Returns a number for the places of all threads that wait, whichever thread waits where. */
static uint64_t place_of_deadlock(const struct vm *vm)
{
    size_t n;
    const struct vm_obj *o = vm_list_threads(vm, &n);
    const uint64_t *end = o ? o->data + o->size / sizeof *end : NULL;
    uint64_t sum = 0;
    for (const uint64_t *at = end; o && at != end - n;) {
        const struct vm_obj *thread = vm_heap_get(&vm->heap, *--at);
        struct vm_saved saved;
        if (!thread || (uint32_t)*at + sizeof saved > thread->size)
            continue;
        memcpy(&saved, (const char *)thread->data + (uint32_t)*at, sizeof saved);
        if (saved.word && !vm_word_is_ready(vm, (uint64_t)saved.word, saved.ready))
            sum += place_of_frame(vm, (uint64_t)saved.frame);
    }
    return sum;
}

void vm_note_failure(struct vm *vm, enum vm_fault_kind kind)
{
    struct vm_place place;
    uint64_t site = vm->failure_site;
    bool told = vm->s.in_fault; /* where it was */
    vm->failure.kind = kind;
    if (kind == VM_FAULT_DEADLOCK)
        vm->failure.place = place_of_deadlock(vm);
    else if (!told)
        vm->failure.place = place_of_frame(vm, vm->s.frame);
    if (kind == VM_FAULT_LEAK && site)
        vm->failure.place = number_of(&place, vm_places_at(vm, site, &place, 1));
    vm->failure_site = 0;
}

void vm_note_failed_object(struct vm *vm, uint64_t p)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    vm->failure_site = o ? o->site : 0;
}

struct vm_failure vm_failure(const struct vm *vm)
{
    return vm->failure;
}
