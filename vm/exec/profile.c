/* profile.c - counts of what is executed, in a program that was loaded with a profile.
 *
 * A SITE counts its site and the machine's instructions up to the next SITE or the
 * end of the block; those that a fault leaves out are taken off again. */
#include <inttypes.h>
#include <stdlib.h>

#include "vm/exec/call.h"
#include "vm/exec/profile.h"
#include "vm/heap/memory.h"
#include "vm/machine.h"

struct fault {
    enum vm_fault_kind kind;
    unsigned op;
    uint64_t site;
};

struct vm_profile {
    uint64_t insn[VM_OP_COUNT];
    struct fault *faults;
    size_t nfaults;
    uint64_t site[];
};

void vm_profile_open(struct vm *vm)
{
    size_t size = sizeof *vm->profile + vm->program->nsites * sizeof *vm->profile->site;
    if (!vm->program->nsites || vm->program->covers)
        return;
    vm->profile = vm_zeros(size, 1);
}

void vm_profile_close(struct vm *vm)
{
    if (vm->profile)
        free(vm->profile->faults);
    free(vm->profile);
}

static bool ends_run(unsigned op)
{
    return op == VM_OP_SITE || (op >= VM_OP_JMP && op <= VM_OP_SWITCH) || op == VM_OP_RET ||
           (op >= VM_OP_UNREACHABLE && op <= VM_OP_UNSUPPORTED);
}

/* Counts the instructions from i to the end of its run. */
static void add(uint64_t *insn, const struct vm_insn *i, int n)
{
    for (; i->op != VM_OP_SITE; i++) {
        insn[i->op] += (uint64_t)n;
        if (ends_run(i->op))
            break;
    }
}

void vm_profile_count(struct vm *vm, const struct vm_insn *i)
{
    vm->profile->site[i->k]++;
    vm->profile->insn[VM_OP_SITE]++;
    add(vm->profile->insn, i + 1, 1);
}

void vm_profile_fault(struct vm *vm, enum vm_fault_kind kind)
{
    struct vm_profile *p = vm->profile;
    const struct vm_insn *i;
    const struct vm_function *f = vm_frame_function(vm, vm->s.frame, &i);
    if (!p || !f)
        return;
    p->faults = vm_resize(p->faults, (p->nfaults + 1) * sizeof *p->faults);
    struct fault *fault = &p->faults[p->nfaults++];
    *fault = (struct fault){.kind = kind, .op = i->op};
    if (!ends_run(i->op))
        add(p->insn, i + 1, -1);
    while (i > f->code && i->op != VM_OP_SITE)
        i--;
    if (i->op == VM_OP_SITE)
        fault->site = i->k;
}

void vm_write_profile(const struct vm *vm, FILE *out)
{
    static const char *const insns[] = {
#define VM_INSN(name, meaning) #name,
#include "vm/insn.def"
    };
    static const char *const faults[] = {
#define VM_FAULT(name, class, text) #name,
#include "vm/fault.def"
    };
    const struct vm_profile *p = vm->profile;
    if (!p)
        return;
    for (size_t k = 1; k < vm->program->nsites; k++) {
        const struct vm_site *s = &vm->program->sites[k];
        const struct vm_loc *loc = &vm->program->locs[s->loc];
        if (p->site[k])
            fprintf(out, "site\t%s\t%s\t%s:%u\t%" PRIu64 "\n", s->function, s->name, loc->file,
                    loc->line, p->site[k]);
    }
    for (unsigned k = 0; k < VM_OP_COUNT; k++)
        fprintf(out, "insn\t%s\t%" PRIu64 "\n", insns[k], p->insn[k]);
    for (size_t k = 0; k < p->nfaults; k++) {
        const struct vm_site *s = &vm->program->sites[p->faults[k].site];
        fprintf(out, "fault\t%s\t%s\t%s\t%s\n", faults[p->faults[k].kind],
                insns[p->faults[k].op], s->function ? s->function : "", s->name ? s->name : "");
    }
}
