/* dpor_stores.c - finds the stores that atomic accesses need not read, since other executions
 * do (`forward` in docs/REDUCTIONS.md). */
#include "dpor_tree.h"

bool dpor_is_told_by_order(struct dpor *dpor, struct vm_choice choice)
{
    struct causal *causal = &dpor->causal;
    size_t naccesses;
    vm_accesses(dpor->vm, &naccesses);
    if (!choice.place || naccesses) /* with some, there are events that are not added yet */
        return false;
    uint32_t store = causal_last_store(causal, choice.place, choice.size);
    uint32_t proc = causal_proc(causal, vm_thread(dpor->vm));
    if (store == CAUSAL_NONE)
        return false;
    causal_blocked(causal, proc, CAUSAL_NONE);
    return !causal_knows(causal, causal->clock, store);
}
