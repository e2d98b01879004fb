/* atomic.c - visible actions of the machine: atomic and volatile accesses. */
#include <string.h>

#include "pick.h"
#include "vm/exec/access.h"
#include "vm/exec/access_log.h"
#include "vm/exec/arith.h"
#include "vm/exec/atomic.h"
#include "vm/exec/buffer.h"
#include "vm/exec/call.h"
#include "vm/exec/exchange.h"
#include "vm/exec/late.h"
#include "vm/exec/listen.h"
#include "vm/exec/mode.h"
#include "vm/exec/observe.h"
#include "vm/exec/register.h"
#include "vm/exec/rmw.h"
#include "vm/exec/transition.h"
#include "vm/machine.h"

enum vm_step vm_interrupt(struct vm *vm)
{
    enum vm_step step = vm_meet_others(vm, NULL);
    if (step != VM_STEP_NEXT)
        return step;
    vm_end_transition(vm, 0);
    return VM_STEP_STOP;
}

enum vm_step vm_loop(struct vm *vm)
{
    if (!(vm->s.reg[VM_REG_FLAGS] & VM_FLAG_KERNEL)) {
        vm->s.loops = 0;
        return vm_interrupt(vm);
    }
    if (vm_is_halted(vm))
        return vm_halt(vm);
    vm->s.loops = VM_MAX_LOOPS - 1; /* the program's next one is an interrupt */
    if (++vm->s.kernel_loops < VM_MAX_KERNEL_LOOPS)
        return VM_STEP_NEXT;
    vm->s.kernel_loops = 0; /* for the handler of faults */
    return vm_fault(vm, VM_FAULT_LIMIT, "%s goes round more than %u times",
                    vm->s.reg[VM_REG_FLAGS] & VM_FLAG_SECTION ? "an atomic section"
                                                              : "a call of the kernel",
                    (unsigned)VM_MAX_KERNEL_LOOPS);
}

/* Returns NEXT, or the fault of an access that races with an open footprint of another
 * thread. */
static enum vm_step check_race(struct vm *vm, uint64_t p, uint64_t size, bool write,
                               const char *what)
{
    const struct vm_entry *e = vm_race_conflict(vm, p, size, write);
    return e ? (enum vm_step)vm_race_fault(vm, e, p, size, what) : VM_STEP_NEXT;
}

/* Can a thread that cannot be interrupted race: in an atomic section, or with what a thread has
 * done that has ended? */
static bool can_race_masked(const struct vm *vm)
{
    return vm->options.report_races && (vm_in_section(vm) || vm_knows_orders(vm));
}

enum vm_step vm_race_masked(struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    return can_race_masked(vm) ? check_race(vm, p, size, write, write ? "write" : "read")
                               : VM_STEP_NEXT;
}

enum vm_step vm_race_plain(struct vm *vm, uint64_t p, uint64_t size, bool write,
                           const char *what)
{
    enum vm_step step = check_race(vm, p, size, write, what);
    const struct vm_entry *e = step == VM_STEP_NEXT ? vm_race_atomic(vm, p, size, write) : NULL;
    return e ? (enum vm_step)vm_race_fault(vm, e, p, size, what) : step;
}

enum vm_step vm_race_masked_plain(struct vm *vm, uint64_t p, uint64_t size, bool write,
                                  const char *what)
{
    return can_race_masked(vm) ? vm_race_plain(vm, p, size, write, what) : VM_STEP_NEXT;
}

/* May a compare-exchange fail again and again though it finds what it expects?  A search by
 * executions ends such a loop only if each action is a step. */
static bool tries_again(const struct vm *vm)
{
    const struct vm_program *p = vm->program;
    return vm->options.names &&
           (p->open_exchanges || (vm->options.spurious_failures && p->weak_exchanges));
}

/* Is there so much in the order of accesses that a thread stops where it need not? */
static bool is_long(const struct vm *vm)
{
    return vm_knows_orders(vm) && vm_order_is_large(vm);
}

/* Lets the thread do a visible action without a stop, if nobody else is left to notice it. */
static bool goes_on(struct vm *vm)
{
    if (!vm_is_sole(vm) || vm->s.fails || tries_again(vm) || is_long(vm))
        return false;
    vm_access_log_next(vm, (struct vm_await){0});
    return true;
}

enum vm_step vm_visible(struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    if (vm_masked(vm))
        return vm_race_masked(vm, p, size, write);
    if (!vm->s.first && !goes_on(vm))
        return vm_interrupt(vm);
    vm->s.first = false;
    if (!vm->options.report_races) {
        vm_race_ask_whole(vm, p, size, write);
        return VM_STEP_NEXT;
    }
    vm_race_clear(vm);
    return check_race(vm, p, size, write, write ? "atomic write" : "atomic read");
}

struct access {
    uint64_t p;
    struct vm_obj *o;
    uint32_t n;
    const struct vm_obj *from; /* a load finds the value there: o, or the thread's buffer */
    uint32_t at;
    bool waits;    /* a store goes to the buffer */
    bool spurious; /* a compare-exchange that fails although it finds what it expects, or may */
    bool open;     /* it may fail since bits are undefined on both sides */
    struct vm_value hidden; /* what another thread's buffer has, for those who listen */
    uint64_t waits_in;      /* the record of that thread, or 0 */
    uint64_t value, mask;   /* read */
    uint8_t pointer;
};

static void read_value(struct access *x)
{
    x->value = vm_obj_get(x->from, x->at, x->n);
    x->mask = vm_obj_mask(x->from, x->at, x->n) | (x->n < 8 ? ~vm_low(8 * x->n) : 0);
    x->pointer = vm_obj_pointer(x->from, x->at, x->n);
}

static void write_value(struct vm *vm, struct access *x, uint64_t value, uint64_t mask,
                        uint8_t pointer)
{
    x->o = vm_heap_own_bytes(&vm->heap, x->p, x->o, x->n);
    vm_obj_put(x->o, (uint32_t)x->p, x->n, value, mask, pointer & (uint8_t)vm_low(x->n));
    if (pointer == VM_DERIVED || pointer & ~vm_low(x->n)) /* see arith.c */
        vm_break(vm, VM_ASSUMES_ADDRESSES);
    if (pointer && vm_lets_escape(vm, x->o))
        vm_heap_spread(&vm->heap, x->p, x->n);
}

static enum vm_action action_of(const struct vm_insn *i)
{
    switch (i->op) {
    case VM_OP_ALOAD: return i->flags & VM_VOLATILE ? VM_ACT_READ : VM_ACT_LOAD;
    case VM_OP_ASTORE: return i->flags & VM_VOLATILE ? VM_ACT_WRITE : VM_ACT_STORE;
    case VM_OP_RMW: return VM_ACT_RMW;
    default: return VM_ACT_CMPXCHG;
    }
}

/* Is an access to the object a visible action?  Where threads can be interrupted, a handler
 * accesses its thread's own objects as well. */
static bool is_visible(const struct vm *vm, const struct vm_obj *o)
{
    return o->flags & VM_SHARED || vm->program->interrupts;
}

/* Does a volatile access: visible, but by C11 5.1.2.4 as racy as a plain access. */
static enum vm_step volatile_access(struct vm *vm, const struct access *x, bool write)
{
    if (vm->buffers) /* for the processor it is an access as an atomic one is */
        return vm_visible(vm, x->p, x->n, write);
    const char *what = write ? "volatile write" : "volatile read";
    if (vm_masked(vm))
        return vm_race_masked_plain(vm, x->p, x->n, write, what);
    if (!vm->s.first && !goes_on(vm))
        return vm_interrupt(vm);
    vm->s.first = false;
    if (!vm->options.report_races)
        return VM_STEP_NEXT;
    enum vm_step step = vm_race_plain(vm, x->p, x->n, write, what);
    if (step == VM_STEP_NEXT)
        vm_race_add(vm, x->p, x->n, write);
    return step;
}

/* Does a load at which the thread does not stop: what it has done before stays open. */
static enum vm_step unseen_load(struct vm *vm, const struct access *x)
{
    return vm->options.report_races ? check_race(vm, x->p, x->n, false, "atomic read")
                                    : VM_STEP_NEXT;
}

/* Is it a locked instruction on x86, or a store that mfence follows? */
static bool is_locked(const struct vm_insn *i)
{
    return i->op == VM_OP_RMW || i->op == VM_OP_CMPXCHG ||
           (i->op == VM_OP_ASTORE && i->flags & VM_SEQ_CST);
}

static enum vm_step turn(struct vm *vm, const struct vm_insn *i, struct access *x, bool write)
{
    if (vm->s.reg[VM_REG_FLAGS] & VM_FLAG_ALONE && is_long(vm))
        return vm_interrupt(vm);
    if (!is_visible(vm, x->o) && vm->options.coalesce)
        return vm->buffers && is_locked(i) ? vm_buffer_stop(vm) : VM_STEP_NEXT;
    if (vm_is_queried(vm) && vm_masked(vm)) { /* it is alone */
        if (write && !vm->s.first && vm_observes(vm, x->p, x->o))
            return vm_interrupt(vm);
        vm->s.first = false;
    }
    if (i->flags & VM_VOLATILE && (i->op == VM_OP_ALOAD || i->op == VM_OP_ASTORE))
        return volatile_access(vm, x, write);
    if (i->op == VM_OP_ALOAD && !vm_masked(vm) && !is_long(vm) && vm_may_write_passes(vm, x->p))
        return unseen_load(vm, x);
    return vm_visible(vm, x->p, x->n, write);
}

/* Sets padding that an exchange has found undefined, which makes it fail. */
static void leave_padding(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                          struct access *x, struct vm_value found[2])
{
    uint32_t n = x->n < 8 ? x->n : 8;
    vm_tell_padding(vm, i);
    if (!vm_sets_padding(vm, i))
        return;
    vm_set_padding(vm, i, f, found);
    x->o = vm_heap_own_bytes(&vm->heap, x->p, x->o, x->n);
    for (uint32_t at = 0; at < x->n; at += n)
        vm_value_put(x->o, (uint32_t)x->p + at, n, &found[at / n]);
}

/* Tells who listens of the access, which has read a word, or the two of 16 bytes; written:
 * likewise, NULL if it stores nothing. */
static void emit(struct vm *vm, const struct vm_insn *i, const struct access *x,
                 const struct vm_value *read, const struct vm_value *written)
{
    const struct vm_value *last = vm->last_stored;
    bool pair = x->n == 16;
    if (!vm->listener || !is_visible(vm, x->o))
        return;
    vm_emit(vm, &(struct vm_event){
                    .kind = VM_EVENT_ACTION,
                    .action = action_of(i),
                    .addr = x->p,
                    .size = x->n,
                    .has_read = i->op != VM_OP_ASTORE,
                    .read = read ? read->v : 0,
                    .read_high = pair && read ? read[1].v : 0,
                    .has_written = written,
                    .written = written ? written->v : 0,
                    .written_high = pair && written ? written[1].v : 0,
                    .is_relaxed = vm_is_relaxed(i, i->op == VM_OP_CMPXCHG && !written),
                    .is_spurious = x->spurious && !x->open,
                    .is_old = last,
                    .last = last ? last->v : 0,
                    .last_high = pair && last ? last[1].v : 0,
                    .waits_in = x->waits_in,
                    .is_pointer = x->pointer == 0xff || (written && written->p == 0xff),
                });
}

/* ---- 16 bytes: two registers for each value -------------------------------------- */

/* A value of 16 bytes: in registers r and r + 1, or in memory as two words. */
struct pair {
    unsigned __int128 v;
    bool defined;
};

static struct pair pair_in(const struct vm_obj *o, uint32_t at)
{
    return (struct pair){
        .v = (unsigned __int128)vm_obj_get(o, at + 8, 8) << 64 | vm_obj_get(o, at, 8),
        .defined = vm_obj_mask(o, at, 8) == ~0ull && vm_obj_mask(o, at + 8, 8) == ~0ull};
}

static void write_pair(struct vm *vm, struct access *x, const struct vm_obj *from, uint32_t at)
{
    x->o = vm_heap_own_bytes(&vm->heap, x->p, x->o, 16);
    vm_obj_move(x->o, (uint32_t)x->p, from, at, 16);
    if (vm_lets_escape(vm, x->o))
        vm_heap_spread(&vm->heap, x->p, 16);
}

static void read_pair(const struct vm_obj *o, uint32_t at, struct vm_value value[2])
{
    for (uint32_t k = 0; k < 2; k++)
        value[k] = vm_value_at(o, at + 8 * k, 8);
}

static void pair_of(const struct vm_obj *f, uint32_t r, struct vm_value value[2])
{
    for (uint32_t k = 0; k < 2; k++)
        value[k] = vm_value_in(f, r + k);
}

/* Returns the pointer bytes of a word that was computed from two others. */
static uint8_t pair_tags(uint64_t word, struct vm_value a, struct vm_value b)
{
    if ((a.p == 0xff && !b.p && vm_ptr_id(word) == vm_ptr_id(a.v)) ||
        (b.p == 0xff && !a.p && vm_ptr_id(word) == vm_ptr_id(b.v)))
        return 0xff;
    return a.p | b.p ? VM_DERIVED : 0;
}

/* Does *x = op(*x, R[i->b]).  R[i->d] holds the result first and gets the old value at the
 * end. */
static void update_pair(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                        struct access *x)
{
    enum vm_rmw op = (enum vm_rmw)(i->k >> 8);
    struct pair old = pair_in(x->o, (uint32_t)x->p), arg = pair_in(f, i->b * 8);
    struct vm_value was[2], by[2];
    read_pair(x->o, (uint32_t)x->p, was);
    pair_of(f, i->b, by);
    if (op == VM_XCHG) {
        emit(vm, i, x, was, by);
        write_pair(vm, x, f, i->b * 8);
    } else {
        unsigned __int128 v = vm_rmw_pair(op, old.v, arg.v);
        uint64_t mask = old.defined && arg.defined ? ~0ull : 0;
        for (uint32_t k = 0; k < 2; k++, v >>= 64) {
            uint8_t pointer = pair_tags((uint64_t)v, was[k], by[k]);
            if (pointer == VM_DERIVED)
                vm_break(vm, VM_ASSUMES_ADDRESSES);
            vm_obj_put(f, (i->d + k) * 8, 8, (uint64_t)v & mask, mask, pointer);
        }
        pair_of(f, i->d, by);
        emit(vm, i, x, was, by);
        write_pair(vm, x, f, i->d * 8);
    }
    for (uint32_t k = 0; k < 2; k++)
        vm_value_put(f, (i->d + k) * 8, 8, &was[k]);
}

static enum vm_step exchange_pair(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                                  struct access *x)
{
    uint32_t fresh = (uint32_t)(i->k >> 8);
    struct vm_value old[2], value[2];
    read_pair(x->o, (uint32_t)x->p, old);
    pair_of(f, fresh, value);
    enum vm_match found = vm_match(vm, i, f, old);
    if (found == VM_UNDEFINED)
        return vm_fault(vm, VM_FAULT_UNDEFINED, "compare-exchange of an undefined value");
    bool equal = found != VM_DIFFERENT && !x->spurious;
    emit(vm, i, x, old, equal ? value : NULL);
    if (equal)
        write_pair(vm, x, f, fresh * 8);
    else if (found == VM_OPEN)
        leave_padding(vm, i, f, x, old);
    for (uint32_t k = 0; k < 2; k++)
        vm_value_put(f, (i->d + k) * 8, 8, &old[k]);
    vm_set(f, i->d + 2, equal, 0x00ff);
    return VM_STEP_NEXT;
}

static enum vm_step atomic_pair(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                                struct access *x)
{
    struct vm_value value[2];
    switch (i->op) {
    case VM_OP_ALOAD:
        read_pair(x->from, x->at, value);
        emit(vm, i, x, value, NULL);
        vm_obj_move(f, i->d * 8, x->from, x->at, 16);
        return VM_STEP_NEXT;
    case VM_OP_ASTORE:
        pair_of(f, i->b, value);
        emit(vm, i, x, NULL, value);
        if (x->waits)
            return vm_buffer_put(vm, x->p, 16, f, i->b * 8);
        write_pair(vm, x, f, i->b * 8);
        return VM_STEP_NEXT;
    case VM_OP_RMW: update_pair(vm, i, f, x); return VM_STEP_NEXT;
    default: return exchange_pair(vm, i, f, x);
    }
}

/* ---- up to 8 bytes --------------------------------------------------------------- */

static enum vm_step exchange(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                             struct access *x)
{
    uint32_t fresh = (uint32_t)(i->k >> 8);
    struct vm_value old[2] = {{x->value, x->mask, x->pointer}};
    enum vm_match found = vm_match(vm, i, f, old);
    if (found == VM_UNDEFINED)
        return vm_fault(vm, VM_FAULT_UNDEFINED, "compare-exchange of an undefined value");
    bool equal = found != VM_DIFFERENT && !x->spurious;
    struct vm_value value = vm_value_in(f, fresh);
    if (equal)
        write_value(vm, x, value.v, value.m, value.p);
    emit(vm, i, x, old, equal ? &value : NULL);
    if (found == VM_OPEN && !equal)
        leave_padding(vm, i, f, x, old);
    vm_obj_put(f, i->d * 8, 8, old->v, old->m, old->p);
    vm_set(f, i->d + 1, equal, 0x00ff);
    return VM_STEP_NEXT;
}

static enum vm_step update(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                           struct access *x)
{
    enum vm_rmw op = (enum vm_rmw)(i->k >> 8);
    struct vm_value old = {x->value, x->mask, x->pointer};
    struct vm_value value = vm_rmw_value(op, x->n, old, vm_value_in(f, i->b));
    write_value(vm, x, value.v, value.m, value.p);
    emit(vm, i, x, &old, &value);
    vm_obj_put(f, i->d * 8, 8, x->value, x->mask, x->pointer);
    return VM_STEP_NEXT;
}

/* Does the guard say that its variable is made?  If not, it is asked again by an action, when
 * the guard is acquired: so this load orders nothing.  If so, what made it comes before. */
static bool is_made(const struct access *x)
{
    return vm_obj_get(x->o, (uint32_t)x->p, x->n) != 0;
}

/* Compares what is there with what a compare-exchange expects. */
static enum vm_match look(const struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                          struct access *x)
{
    struct vm_value old[2];
    if (x->n == 16) {
        read_pair(x->o, (uint32_t)x->p, old);
    } else {
        read_value(x);
        old[0] = (struct vm_value){x->value, x->mask, x->pointer};
    }
    return vm_match(vm, i, f, old);
}

/* Does a compare-exchange fail?  Then it only reads, for races as well (C11 5.1.2.4p25:
 * conflicting accesses modify). */
static bool fails(const struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                  struct access *x)
{
    return i->op == VM_OP_CMPXCHG && look(vm, i, f, x) == VM_DIFFERENT;
}

/* Logs the access as a read for searches, if it writes nothing. */
static void note_unless(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                        const struct access *x, bool exchange)
{
    vm_access_log_update(vm, x->o, x->p, x->n,
                         exchange ? VM_ACCESS_UNLESS_EQUAL : VM_ACCESS_IF_EQUAL,
                         vm_get(f, i->b) & vm_low(8 * x->n));
}

/* Returns what an access orders.  failing: it is a compare-exchange that has failed. */
static uint8_t orders_of(const struct vm_insn *i, bool failing)
{
    bool exchange = failing && i->op == VM_OP_CMPXCHG;
    unsigned acquires = exchange ? VM_FAIL_ACQUIRES : VM_ACQUIRES;
    unsigned seq_cst = exchange ? VM_FAIL_SEQ_CST : VM_SEQ_CST;
    return (uint8_t)((i->flags & acquires ? VM_ACCESS_ACQUIRES : 0) |
                     (i->flags & VM_RELEASES ? VM_ACCESS_RELEASES : 0) |
                     (i->flags & seq_cst ? VM_ACCESS_SEQ_CST : 0));
}

/* May a compare-exchange both succeed and fail, with what is there? */
static bool may_fail(const struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                     struct access *x)
{
    if (!vm_may_have_padding(i))
        return vm_is_weak(vm, i) && look(vm, i, f, x) == VM_SAME;
    enum vm_match found = look(vm, i, f, x);
    x->open = found == VM_OPEN;
    return x->open || (found == VM_SAME && vm_is_weak(vm, i));
}

/* Is it a read-modify-write of up to 8 bytes that leaves what is there, the last store? */
static bool leaves_same(const struct vm_insn *i, const struct vm_obj *f, struct access *x,
                        const struct vm_pick *pick)
{
    if (i->op != VM_OP_RMW || x->n > 8 || (pick && !pick->option.last))
        return false;
    read_value(x);
    struct vm_value old = {x->value, x->mask, x->pointer};
    struct vm_value now =
        vm_rmw_value((enum vm_rmw)(i->k >> 8), x->n, old, vm_value_in(f, i->b));
    return !((old.v ^ now.v) & old.m) && old.m == now.m && old.p == now.p;
}

/* Logs the access for searches that ask what commutes.  An exchange for the value that is there
 * commutes with reads, but races with plain accesses as a write does.  pick: what it has found,
 * if it can find other values than the last one. */
static void note(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                 struct access *x, enum vm_access_kind kind, const struct vm_pick *pick)
{
    bool write = i->op != VM_OP_ALOAD, exchange = i->op == VM_OP_RMW && i->k >> 8 == VM_XCHG;
    bool sets = x->spurious && x->open && vm_sets_padding(vm, i);
    size_t before = vm->access_log.n;
    if (x->spurious && !pick) {
        vm_access_log_picked(vm, x->o, x->p, x->n, sets, true);
    } else if (pick && write) {
        bool writes = pick->event.writes && !(exchange && vm_picked_same(vm, i, f, pick));
        vm_access_log_picked(vm, x->o, x->p, x->n, writes || sets, pick->option.last);
    } else if (i->op == VM_OP_CMPXCHG && (x->n == 16 || vm_may_have_padding(i))) {
        vm_access_log_picked(vm, x->o, x->p, x->n, !fails(vm, i, f, x), true);
    } else if (x->n == 16 || (i->op != VM_OP_CMPXCHG && !exchange)) {
        vm_log_access(vm, x->o, x->p, x->n, write, kind);
    } else {
        note_unless(vm, i, f, x, exchange);
    }
    if (before < vm->access_log.n)
        vm->access_log.at[before].orders = orders_of(i, !vm->access_log.at[before].write) |
                                           (pick && !pick->option.last ? VM_ACCESS_OLD : 0) |
                                           (kind == VM_ACCESS_PLAIN ? VM_ACCESS_VOLATILE : 0);
    if (before < vm->access_log.n && vm->access_log.at[before].write &&
        vm->access_log.at[before].kind == VM_ACCESS_ATOMIC && leaves_same(i, f, x, pick))
        vm_access_log_same(vm, before, x->p);
    if (exchange && x->n < 16 && x->o->flags & VM_SHARED && vm_access_log_on(vm))
        vm_access_log_append(vm, x->p, x->n, true, VM_ACCESS_CHECK);
}

/* Stores into the buffer. */
static enum vm_step put_value(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                              const struct access *x)
{
    uint8_t pointer = (uint8_t)(vm_shadow(f, i->b) >> 8);
    if (pointer == VM_DERIVED || pointer & ~vm_low(x->n)) /* see arith.c */
        vm_break(vm, VM_ASSUMES_ADDRESSES);
    return vm_buffer_put(vm, x->p, x->n, f, i->b * 8);
}

static enum vm_step store(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                          struct access *x)
{
    struct vm_value value = vm_value_in(f, i->b);
    if (!x->waits)
        write_value(vm, x, value.v, value.m, value.p);
    emit(vm, i, x, NULL, &value);
    return x->waits ? put_value(vm, i, f, x) : VM_STEP_NEXT;
}

/* Executes the access; value and mask of x are not read yet. */
static enum vm_step execute(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                            struct access *x)
{
    if (x->n == 16)
        return atomic_pair(vm, i, f, x);
    read_value(x);
    if (i->op == VM_OP_CMPXCHG)
        return exchange(vm, i, f, x);
    if (i->op == VM_OP_RMW)
        return update(vm, i, f, x);
    if (i->op == VM_OP_ASTORE)
        return store(vm, i, f, x);
    emit(vm, i, x, &(struct vm_value){x->value, x->mask, x->pointer}, NULL);
    uint64_t low = vm_low(i->w);
    vm_note_undefined(vm, i, x->p, x->mask | ~low);
    vm_obj_put(f, i->d * 8, 8, x->value & low, x->mask | ~low, x->pointer);
    return VM_STEP_NEXT;
}

/* Executes a fence.  Of the weaker fences, x86 needs none. */
static enum vm_step fence(struct vm *vm, const struct vm_insn *i)
{
    if (vm->buffers && i->flags & VM_SEQ_CST && !(i->flags & VM_LIGHT)) {
        enum vm_step step = vm_buffer_stop(vm);
        if (step != VM_STEP_NEXT)
            return step;
        vm_buffer_empty(vm);
    }
    if (vm_knows_orders(vm)) {
        vm_order_fence(vm, i->flags & VM_ACQUIRES, i->flags & VM_RELEASES,
                       i->flags & VM_SEQ_CST);
        vm_access_log_fence(vm, orders_of(i, false));
    }
    return VM_STEP_NEXT;
}

void vm_fence_before(struct vm *vm)
{
    if (vm_knows_orders(vm))
        vm_order_fence(vm, true, true, true);
}

/* Executes the access and tells the order of stores of it. */
static enum vm_step execute_in_order(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                                     struct access *x, const struct vm_pick *pick)
{
    bool fails_now = !vm_order_has_values(vm) && (x->spurious || fails(vm, i, f, x));
    vm->last_stored = vm_order_has_values(vm) && !pick->option.last ? pick->last : NULL;
    enum vm_step step = execute(vm, i, f, x);
    vm->last_stored = NULL;
    if (step != VM_STEP_NEXT)
        return step;
    if (vm_order_has_values(vm)) {
        vm_picked_done(vm, pick);
    } else {
        struct vm_event_of event = vm_event_of(i, x->p, x->n, fails_now);
        vm_order_atomic(vm, &event, NULL, NULL, NULL);
    }
    return VM_STEP_NEXT;
}

/* Is the access ordered with others?  It is the program's, in a section or outside of one. */
static bool is_ordered(const struct vm *vm, const struct access *x, bool race)
{
    return vm->race.order && !race && x->o->flags & VM_SHARED && !vm_in_kernel(vm);
}

/* Finds where the value is, or is to be stored, if the thread has a buffer. */
static void come_by_buffer(struct vm *vm, const struct vm_insn *i, struct access *x)
{
    struct vm_pending found;
    enum vm_buffered where = VM_IN_MEMORY;
    x->waits = i->op == VM_OP_ASTORE && !is_locked(i) && vm_buffer_takes(vm, x->o);
    if (vm->s.buffered && is_locked(i))
        vm_buffer_empty(vm);
    else if (vm->s.buffered && !x->waits)
        where = vm_buffer_find(vm, x->p, x->n, &found);
    if (where == VM_IN_BOTH || (where == VM_IN_BUFFER && i->op == VM_OP_ASTORE))
        vm_buffer_empty_until(vm, x->p, x->n);
    x->from = x->o = vm_heap_part(&vm->heap, x->p, x->n);
    if (where == VM_IN_BUFFER && i->op == VM_OP_ALOAD) {
        x->from = vm_buffer_of_running(vm);
        x->at = found.at;
    } else if (vm->listener && i->op == VM_OP_ALOAD && x->n <= 8) {
        x->waits_in = vm_buffers_hide(vm, x->p, x->n, &x->hidden);
        vm->last_stored = x->waits_in ? &x->hidden : NULL;
    }
}

enum vm_step vm_atomic(struct vm *vm, const struct vm_insn *i, struct vm_obj *f)
{
    if (vm->race.order && vm_is_halted(vm)) /* to order it may take long */
        return vm_halt(vm);
    if (i->op == VM_OP_FENCE)
        return fence(vm, i);
    struct access x = {.p = vm_get(f, i->a), .n = (uint32_t)(i->k & 255)};
    x.at = (uint32_t)x.p;
    uint16_t s = vm_shadow(f, i->a);
    bool write = i->op != VM_OP_ALOAD, plain = i->op == VM_OP_ALOAD || i->op == VM_OP_ASTORE;
    uint64_t low_bits = plain ? i->k >> 8 : i->flags & VM_ANYWHERE ? 0 : x.n - 1;
    if ((s & 0xff) != 0xff)
        return vm_fault(vm, VM_FAULT_UNDEFINED, "atomic access through an undefined pointer");
    uint32_t part =
        vm->s.first || vm->s.picked || vm_masked(vm) ? x.n : 0; /* it will hardly do it now */
    enum vm_step step = vm_check_part(vm, x.p, (uint8_t)(s >> 8), x.n, write, part, &x.o);
    x.from = x.o;
    if (step == VM_STEP_NEXT && x.p & low_bits) {
        char text[256];
        vm_describe(vm, x.p, text, sizeof text);
        return vm_fault(vm, VM_FAULT_MISALIGNED, "misaligned %s access of %u bytes: %s",
                        plain && i->flags & VM_VOLATILE ? "volatile" : "atomic", x.n, text);
    }
    if (step == VM_STEP_NEXT && !vm->s.picked)
        step = turn(vm, i, &x, write && !(part && fails(vm, i, f, &x)));
    if (step != VM_STEP_NEXT)
        return step;
    if (i->flags & VM_FENCED && !vm->s.picked)
        vm_fence_before(vm);
    vm_expose_ends(vm, x.p, x.n);
    if (!part || vm->heap.owners)
        x.from = x.o = vm_heap_part(&vm->heap, x.p, x.n);
    if (vm->buffers)
        come_by_buffer(vm, i, &x);
    bool race = i->flags & VM_VOLATILE && plain, ordered = is_ordered(vm, &x, race);
    struct vm_pick pick;
    if (ordered && vm_order_has_values(vm)) {
        step = vm_pick(vm, i, f, x.p, x.n, &pick);
        if (step != VM_STEP_NEXT)
            return step;
        x.from = x.o = vm_heap_part(&vm->heap, x.p, x.n);
        x.spurious = pick.spurious;
        x.open = pick.open;
    } else if (may_fail(vm, i, f, &x)) {
        step = vm_pick_failure(vm, &x.spurious);
        if (step != VM_STEP_NEXT)
            return step;
    }
    bool guard = i->op == VM_OP_ALOAD && i->flags & VM_GUARD, made = guard && is_made(&x);
    if (!guard || made)
        note(vm, i, f, &x, race ? VM_ACCESS_PLAIN : VM_ACCESS_ATOMIC,
             ordered && vm_order_has_values(vm) ? &pick : NULL);
    if (made) /* by a thread that passed it on in the kernel (libc/cxx/guard.c) */
        vm_race_pass(vm, x.p, false);
    if (ordered)
        return execute_in_order(vm, i, f, &x, &pick);
    step = execute(vm, i, f, &x);
    vm->last_stored = NULL;
    return step;
}
