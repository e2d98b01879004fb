/* protect.c - accesses of protected memory, and changes of what may be done with it.
 *
 * An access that is not allowed is a fault. A change of protections is a part of a visible
 * action, so later accesses of other threads see it in both orders. Plain accesses that came
 * before, and that nothing orders with the change, are in the open footprints; the change looks
 * at these, since on a real machine it could as well have come first. Accesses that are still
 * allowed after the change do not matter. */
#include "vm/heap/protect.h"

#include "vm/exec/access.h"
#include "vm/exec/access_log.h"
#include "vm/exec/call.h"
#include "vm/exec/late.h"
#include "vm/exec/listen.h"
#include "vm/exec/transition.h"
#include "vm/machine.h"

/* The most words of a change that are logged: the log of an execution has an entry for each
 * word. */
enum { MAX_LOGGED = 1 << 16 };

static enum vm_step deny(struct vm *vm, const struct vm_obj *o, uint64_t p, bool write)
{
    uint64_t page = vm_page_at(o, (uint32_t)p / VM_PAGE_BYTES);
    char text[256], site[256];
    vm_describe(vm, p, text, sizeof text);
    vm_describe_site(vm, vm_page_site(page), site, sizeof site);
    if (vm_page_rights(page) == VM_PAGE_GONE)
        return vm_fault(vm, VM_FAULT_USE_AFTER_FREE, "%s after munmap: %s, given back by %s",
                        write ? "write" : "read", text, site);
    return vm_fault(vm, VM_FAULT_PROTECTED, "%s of memory that may not be %s: %s, %s by %s",
                    write ? "write" : "read",
                    vm_page_rights(page) & VM_PAGE_READ ? "written" : "accessed", text,
                    vm_page_site(page) == o->site ? "mapped so" : "protected", site);
}

enum vm_step vm_ask_pages(struct vm *vm, const struct vm_obj *o, uint64_t p, uint64_t size,
                          bool write)
{
    unsigned needed = write ? VM_PAGE_WRITE : VM_PAGE_READ;
    if (vm->s.scheduling) /* a thread that waits accesses nothing */
        return VM_STEP_NEXT;
    enum vm_step step = VM_STEP_NEXT;
    for (uint64_t end = p + size; p < end; p = (p / VM_PAGE_BYTES + 1) * VM_PAGE_BYTES) {
        if (vm_rights_at(o, (uint32_t)p) & needed)
            continue;
        step = vm_meet_others(vm, NULL); /* one of them may have changed that */
        return step == VM_STEP_NEXT ? deny(vm, o, p, write) : step;
    }
    return step;
}

uint64_t vm_protection_of(struct vm *vm, uint64_t p, uint16_t shadow)
{
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    if (!o || (uint32_t)p >= o->size ||
        (vm_obj_kind(o) != VM_OBJ_PRIVATE && vm_obj_kind(o) != VM_OBJ_MAPPED))
        return 0;
    if (shadow >> 8 != 0xff)
        vm_heap_doubt(&vm->heap, o);
    vm_owner_ask(vm, o);
    vm_log_access(vm, o, p, 1, false, VM_ACCESS_KERNEL);
    return VM_PAGE_MAPPED | vm_rights_at(o, (uint32_t)p);
}

/* ---- changes --------------------------------------------------------------------- */

/* Pages in a row of which the same rights are given or taken. */
struct run {
    uint32_t begin, end; /* offsets */
    unsigned given, taken;
};

static struct run run_from(const struct vm_obj *o, uint32_t begin, uint32_t end,
                           unsigned rights)
{
    unsigned had = vm_rights_at(o, begin);
    struct run run = {begin, begin, rights & ~had & VM_PAGE_RIGHTS,
                      had & ~rights & VM_PAGE_RIGHTS};
    while (run.end < end && vm_rights_at(o, run.end) == had)
        run.end += VM_PAGE_BYTES;
    return run;
}

static void log_run(struct vm *vm, const struct vm_obj *o, uint64_t p, const struct run *run)
{
    uint32_t size = run->end - run->begin;
    if (!(o->flags & VM_SHARED) || !vm_access_log_on(vm))
        return;
    if (size > MAX_LOGGED) {
        vm_make_opaque(vm);
        return;
    }
    vm_access_log_append(vm, p, size, true, VM_ACCESS_KERNEL);
    if (run->given | run->taken) /* reads commute with what concerns writes only */
        vm_access_log_append(vm, p, size, (run->given | run->taken) & VM_PAGE_READ,
                             VM_ACCESS_CHECK);
}

/* Checks an access that came before the change, and could not come after it. */
static enum vm_step meet(struct vm *vm, const struct vm_obj *o, uint64_t p,
                         const struct run *run, bool gone)
{
    uint32_t size = run->end - run->begin;
    if (!run->taken || !(o->flags & VM_SHARED) || !vm->options.report_races)
        return VM_STEP_NEXT;
    const struct vm_entry *e = vm_race_conflict(vm, p, size, run->taken & VM_PAGE_READ);
    if (!e)
        return VM_STEP_NEXT;
    return (enum vm_step)vm_race_fault_as(vm, gone ? VM_FAULT_FREE_RACE : VM_FAULT_PROTECT_RACE,
                                          e, p, size, gone ? "munmap" : "mprotect");
}

static enum vm_step change(struct vm *vm, uint64_t p, uint64_t size, unsigned rights)
{
    uint32_t begin = (uint32_t)p, end = begin + (uint32_t)size;
    const struct vm_obj *o = vm_heap_get(&vm->heap, p);
    while (begin < end) {
        struct run run = run_from(o, begin, end, rights);
        uint64_t at = vm_ptr_object(p) + begin;
        log_run(vm, o, at, &run);
        enum vm_step step = meet(vm, o, at, &run, rights == VM_PAGE_GONE);
        if (step != VM_STEP_NEXT)
            return step;
        begin = run.end;
    }
    begin = (uint32_t)p;
    vm_heap_protect(&vm->heap, p, begin / VM_PAGE_BYTES, (end - begin) / VM_PAGE_BYTES,
                    vm_page(rights, vm_user_site(vm)));
    return VM_STEP_NEXT;
}

enum vm_step vm_protect(struct vm *vm, uint64_t request)
{
    struct vm_protect wanted = {0};
    const struct vm_obj *o = vm_heap_get(&vm->heap, request);
    if (o && (uint64_t)(uint32_t)request + sizeof wanted <= o->size)
        memcpy(&wanted, (const char *)o->data + (uint32_t)request, sizeof wanted);
    uint64_t p = (uint64_t)wanted.at, begin = (uint32_t)p;
    o = vm_heap_get(&vm->heap, p);
    if (!vm_protection_of(vm, p, 0xffff) || begin % VM_PAGE_BYTES ||
        wanted.size % VM_PAGE_BYTES || wanted.size > o->size || begin + wanted.size > o->size ||
        (wanted.rights & ~(uint64_t)VM_PAGE_RIGHTS && wanted.rights != VM_PAGE_GONE))
        return vm_fault(vm, VM_FAULT_HYPERCALL, "control: these are no pages of a mapping");
    return change(vm, p, wanted.size, (unsigned)wanted.rights);
}
