/* pick.c - see pick.h. */
#include "pick.h"

#include <string.h>

#include "vm/exec/access_log.h"
#include "vm/exec/atomic.h"
#include "vm/exec/call.h"
#include "vm/exec/exchange.h"
#include "vm/exec/mode.h"
#include "vm/exec/register.h"
#include "vm/exec/transition.h"
#include "vm/order/order.h"
#include "vm/order/relation.h"

enum { WORD = 8 };

static void write_values(struct vm *vm, uint64_t p, uint32_t size,
                         const struct vm_value value[2])
{
    struct vm_obj *o = vm_heap_own_bytes(&vm->heap, p, vm_heap_part(&vm->heap, p, size), size);
    uint32_t n = size < WORD ? size : WORD;
    for (uint32_t at = 0; at < size; at += WORD)
        vm_value_put(o, (uint32_t)p + at, n, &value[at / WORD]);
}

struct vm_event_of vm_event_of(const struct vm_insn *i, uint64_t p, uint32_t size, bool fails)
{
    bool writes = i->op != VM_OP_ALOAD && !fails;
    return (struct vm_event_of){
        .p = p,
        .size = size,
        .reads = i->op != VM_OP_ASTORE,
        .writes = writes,
        .acquires = i->flags & (fails ? VM_FAIL_ACQUIRES : VM_ACQUIRES),
        .releases = writes && i->flags & VM_RELEASES,
        .seq_cst = i->flags & (fails ? VM_FAIL_SEQ_CST : VM_SEQ_CST),
    };
}

bool vm_is_relaxed(const struct vm_insn *i, bool fails)
{
    bool plain = i->op == VM_OP_ALOAD || i->op == VM_OP_ASTORE;
    unsigned orders =
        fails ? VM_FAIL_ACQUIRES | VM_FAIL_SEQ_CST : VM_ACQUIRES | VM_RELEASES | VM_SEQ_CST;
    return !(i->flags & orders) && !(plain && i->flags & VM_VOLATILE);
}

bool vm_is_weak(const struct vm *vm, const struct vm_insn *i)
{
    return i->op == VM_OP_CMPXCHG && i->flags & VM_WEAK && vm->options.spurious_failures &&
           !(vm->s.reg[VM_REG_FLAGS] & VM_FLAG_KERNEL);
}

/* Adds the alternatives that options and model allow.  In a section of the program's own, where
 * nobody else runs, the last store counts.  spurious: the access fails although it finds what
 * it expects. */
static bool set_alternative(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                            const struct vm_option *option, bool spurious, struct vm_pick *pick)
{
    uint64_t p = pick->event.p;
    uint32_t size = pick->event.size;
    enum vm_match found = i->op == VM_OP_CMPXCHG ? vm_match(vm, i, f, option->value) : VM_SAME;
    bool fails = found == VM_DIFFERENT;
    pick->event = vm_event_of(i, p, size, fails || spurious);
    pick->option = *option;
    pick->spurious = spurious;
    pick->open = found == VM_OPEN;
    if (spurious && !pick->open && (fails || !vm_is_weak(vm, i)))
        return false;
    return vm_order_allows(vm, &pick->event, option);
}

static enum vm_step ask(struct vm *vm, uint32_t n)
{
    vm->nchoices++;
    vm->choice = (struct vm_choice){.n = (int)n};
    vm_count_branches(&vm->s, n);
    vm->stop = VM_STOP_CHOOSE;
    return VM_STEP_STOP;
}

/* Begins a choice of n alternatives; the first of_last of them are about the last store. */
static enum vm_step ask_about(struct vm *vm, uint64_t p, uint32_t size, uint32_t n, int of_last)
{
    enum vm_step step = ask(vm, n);
    if (vm->options.names && vm->options.tells_places && size <= WORD &&
        vm_order_is_in_turn(vm, p, size)) {
        vm->choice.place = vm_named(vm, p);
        vm->choice.size = size;
        vm->choice.of_last = of_last;
    }
    return step;
}

/* Makes a compare-exchange fail spuriously.  A thread that is alone would try again and again
 * in one transition: the transition ends before the next visible action, or at the next
 * back-edge. */
static void fail(struct vm *vm)
{
    vm->s.fails = true;
    if (vm_masked(vm))
        vm_count_branches(&vm->s, VM_MAX_BRANCHES);
}

enum vm_step vm_pick_failure(struct vm *vm, bool *spurious)
{
    if (!vm->s.picked)
        return ask(vm, 2);
    *spurious = vm->s.picked == 2;
    vm->s.picked = 0;
    if (*spurious)
        fail(vm);
    return VM_STEP_NEXT;
}

enum vm_step vm_refuse_mixed(struct vm *vm, uint64_t p, uint32_t size, const char *how)
{
    char text[256];
    if (vm_order_lingers(vm)) /* the other access may be one that could have been forgotten */
        vm_break(vm, VM_ASSUMES_APART);
    vm_describe(vm, p, text, sizeof text);
    return vm_fault(vm, VM_FAULT_UNSUPPORTED,
                    "atomic accesses %s to the same bytes: %u bytes at %s; "
                    "--memory=sc takes them",
                    how, size, text);
}

enum vm_step vm_pick(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f, uint64_t p,
                     uint32_t size, struct vm_pick *pick)
{
    const struct vm_option *options;
    uint32_t wanted = vm->s.picked, found = 0;
    int of_last = 0;
    if (vm_order_is_mixed(vm, p, size))
        return vm_refuse_mixed(vm, p, size, "of different sizes");
    size_t n = vm_order_options(vm, p, size, &options);
    if (vm->s.reg[VM_REG_FLAGS] & VM_FLAG_KERNEL)
        n = 1; /* the last one */
    memcpy(pick->last, options[0].value, sizeof pick->last);
    pick->event.p = p;
    pick->event.size = size;
    bool may_fail = vm_is_weak(vm, i) || vm_may_have_padding(i);
    unsigned ways = may_fail ? 2 : 1; /* of each store, to succeed or to fail */
    if (n * ways == 1)
        wanted = 1;
    for (size_t k = 0; k < n * ways; k++) {
        found += set_alternative(vm, i, f, &options[k / ways], k % ways, pick);
        of_last = k < ways ? (int)found : of_last;
        if (found == wanted)
            break;
    }
    if (!wanted && found > 1)
        return ask_about(vm, p, size, found, of_last);
    if (!wanted) /* it has only one */
        set_alternative(vm, i, f, &options[0], false, pick);
    vm->s.picked = 0;
    if (pick->spurious)
        fail(vm);
    if (pick->event.reads && !pick->option.last)
        write_values(vm, p, size, pick->option.value);
    return VM_STEP_NEXT;
}

bool vm_picked_same(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                    const struct vm_pick *pick)
{
    const struct vm_event_of *event = &pick->event;
    if (event->size > WORD || !pick->option.last || event->releases || event->seq_cst ||
        vm_order_fixed(vm) != VM_NO_HOLDER)
        return false;
    struct vm_value now = pick->last[0], wanted = vm_value_in(f, i->b);
    return !(((now.v ^ wanted.v) | (now.m ^ wanted.m)) & vm_low(8 * event->size));
}

void vm_picked_done(struct vm *vm, const struct vm_pick *pick)
{
    const struct vm_event_of *event = &pick->event;
    struct vm_value now[2];
    vm_order_read(vm, event->p, event->size, now);
    if (!pick->option.last)
        write_values(vm, event->p, event->size, pick->last);
    vm_order_atomic(vm, event, &pick->option, pick->last, now);
}
