/* observe.c - queries: stops at which each of their values can be seen, and asking them.
 *
 * A transition does one visible action and runs on.  Whatever may change a query's value is a
 * visible action too: writes of what it reads (access.c, atomic.c, also while one thread
 * exists), and places in the code (VM_ACT_OBSERVE, put there by load_watch.c).  So a value
 * stays the same in all of a transition but its first action, and it is enough to ask where one
 * ends. */
#include "vm/exec/observe.h"
#include "history.h"
#include "vm/exec/atomic.h"
#include "vm/exec/listen.h"

/* Is it an object to which the program's own code can have a pointer? */
static bool is_of_program(const struct vm *vm, const struct vm_obj *o)
{
    const struct vm_program *p = vm->program;
    if (o->kind != VM_OBJ_STACK)
        return vm_obj_kind(o) <= VM_OBJ_PRIVATE || o->kind == VM_OBJ_MAPPED ||
               o->kind == VM_OBJ_GLOBAL || o->kind == VM_OBJ_TLS;
    return vm_ptr_region(o->site) == VM_ID_CODE && vm_ptr_index(o->site) < p->nfunctions &&
           !p->functions[vm_ptr_index(o->site)].library;
}

bool vm_observes(const struct vm *vm, uint64_t p, const struct vm_obj *o)
{
    const struct vm_queries *q = vm->options.queries;
    if (q->everything)
        return is_of_program(vm, o);
    for (size_t k = 0; k < q->nglobals; k++)
        if (vm_ptr_object(p) == q->globals[k])
            return true;
    if (o->kind != VM_OBJ_STACK || !q->nlocals)
        return false;
    const struct vm_variable *v = vm_variable_of(vm, o->site);
    for (size_t k = 0; v && k < q->nlocals; k++)
        if (v == q->locals[k])
            return true;
    return false;
}

/* Does VM_ACT_OBSERVE.  It is no action: what the thread has done before stays open for
 * races. */
enum vm_step vm_observe(struct vm *vm)
{
    if (!vm_is_queried(vm))
        return VM_STEP_NEXT;
    if (!vm->s.first)
        return vm_interrupt(vm);
    vm->s.first = false;
    return VM_STEP_NEXT;
}

void vm_ask_queries(struct vm *vm)
{
    enum { TEXT = 1024 };
    const struct vm_queries *q = vm->options.queries;
    bool error = vm->ended & VM_FLAG_ERROR;
    char text[TEXT] = "";
    if (vm->ended & VM_FLAG_CANCEL)
        return;
    unsigned query = q->holding(q->context, vm, error ? vm->failure.kind : VM_FAULT_NONE);
    if (!query)
        return;
    enum vm_fault_kind kind = q->tell(q->context, vm, query, text, sizeof text);
    if (vm->listener)
        vm_emit(vm,
                &(struct vm_event){
                    .kind = VM_EVENT_FAULT, .fault = kind, .message = text, .order = query});
    if (vm->listener && !error)
        vm_tell_threads(vm, kind);
    vm->failure = (struct vm_failure){kind, query};
    vm->ended |= VM_FLAG_ERROR;
}
