/* refused.c - calls of functions that are defined nowhere. */
#include <string.h>

#include "vm/exec/call.h"
#include "vm/machine.h"

/* Returns why a function is refused; NULL if no function of this name is known. */
static const char *why_refused(const char *name)
{
    static const struct {
        const char *name, *why;
    } table[] = {
#define VM_REFUSED(name, why) {name, why},
#include "vm/refused.def"
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (!strcmp(table[k].name, name))
            return table[k].why;
    return NULL;
}

enum vm_step vm_unresolved(struct vm *vm, uint32_t function)
{
    const char *name = vm->program->functions[function].name, *why = why_refused(name);
    if (why)
        return vm_fault(vm, VM_FAULT_REFUSED, "divm does not support %s(): %s", name, why);
    return vm_fault(vm, VM_FAULT_UNRESOLVED, "call of %s, which is not defined anywhere", name);
}
