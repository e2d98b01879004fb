/* interp.c - the interpreter: one direct-threaded loop over the bytecode.
 *
 * Each case is an instruction of insn.def for operands that are wholly defined
 * and no pointers, and memory that is private, in bounds and defined: a test of
 * shadows, then the operation.  Everything else is a call of a slow path.
 * R and S are the running frame's registers and shadow. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "interp_float.h"
#include "interp_memory.h"
#include "interp_pair.h"
#include "vm/exec/access.h"
#include "vm/exec/access_log.h"
#include "vm/exec/arith.h"
#include "vm/exec/atomic.h"
#include "vm/exec/call.h"
#include "vm/exec/cover.h"
#include "vm/exec/interp.h"
#include "vm/exec/late.h"
#include "vm/exec/listen.h"
#include "vm/exec/mode.h"
#include "vm/exec/observe.h"
#include "vm/exec/profile.h"
#include "vm/exec/register.h"
#include "vm/exec/transition.h"
#include "vm/machine.h"

enum { DEFINED = 0x00ff, POINTER = 0xffff };

static enum vm_step vm_find_case(struct vm *vm, const struct vm_insn *i, struct vm_obj *f,
                                 uint32_t *target)
{
    if (vm_mask(f, i->a) != ~0ull)
        return vm_fault(vm, VM_FAULT_UNDEFINED, "switch on an undefined value");
    uint8_t pointer = (uint8_t)(vm_shadow(f, i->a) >> 8);
    if (pointer && pointer != 0xff) /* of a whole one, no case is another's */
        vm_break(vm, VM_ASSUMES_ADDRESSES);
    uint64_t v = f->data[i->a];
    const struct vm_case *c = &vm->program->cases[i->k];
    uint32_t low = 0, high = i->b;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (c[mid].value < v)
            low = mid + 1;
        else
            high = mid;
    }
    *target = low < i->b && c[low].value == v ? c[low].target : i->d;
    return VM_STEP_NEXT;
}

static enum vm_step select_slow(const struct vm_insn *i, struct vm_obj *f)
{
    if ((vm_shadow(f, i->a) & 0xff) != 0xff) {
        for (uint32_t k = 0; k < i->w; k++)
            vm_obj_put(f, (i->d + k) * 8, 8, 0, 0, 0);
        return VM_STEP_NEXT;
    }
    uint32_t from = f->data[i->a] & 1 ? i->b : (uint32_t)i->k;
    vm_obj_move(f, i->d * 8, f, from * 8, i->w * 8u);
    return VM_STEP_NEXT;
}

/* Returns the flags of objects whose accesses need a slow path.  In the kernel, and as long as
 * there is one thread, accesses need none, except that the object must be one that the code may
 * access. */
static unsigned tracked_flags(struct vm *vm)
{
    unsigned guarded = vm->heap.owners && !vm_in_kernel(vm) ? VM_GUARDED : 0;
    if (__builtin_expect(vm->options.names != NULL, 0) && !vm->s.scheduling) {
        if (!(vm->s.reg[VM_REG_FLAGS] & VM_FLAG_ALONE))
            vm->s.concurrent = true;
        if (vm_access_log_on(vm))
            return VM_SHARED | VM_LOGGED | guarded;
    }
    if (!vm_can_race(vm) && !vm_is_queried(vm))
        return guarded | (vm->s.buffered ? VM_SHARED : 0);
    return guarded | (vm->s.reg[VM_REG_DEFERRED] ? VM_SHARED | VM_LOGGED : VM_SHARED);
}

/* Returns the same as vm_obj_marks; for a thread with a deferred join, all objects that others
 * can notice. */
static unsigned tracked(struct vm *vm, bool kernel)
{
    bool hidden = !vm_may_touch_hidden(vm, kernel) || vm->s.reg[VM_REG_DEFERRED];
    return tracked_flags(vm) << VM_KINDS | (hidden ? VM_OBJ_HIDDEN : 0) | VM_OBJ_PROTECTED;
}

/* Returns the flags of objects to which pointers escape that are stored in them
 * (vm_lets_escape). */
static unsigned told_by(const struct vm *vm)
{
    return vm_in_kernel(vm) ? VM_SHARED : VM_SHARED | VM_LOGGED;
}

/* Jumps to the next instruction.  Each instruction has such a jump of its own, which predicts
 * better than one for all. */
#define DISPATCH             \
    do {                     \
        count++;             \
        goto *label[ip->op]; \
    } while (0)
#define NEXT      \
    do {          \
        ip++;     \
        DISPATCH; \
    } while (0)
#define WATCH (watch = tracked(vm, kernel), told = told_by(vm))
/* Calls a slow path, which may stop, or change the frame. */
#define SLOW(call)                                    \
    do {                                              \
        frame->data[1] = pc0 | (uint32_t)(ip - code); \
        enum vm_step step_ = (call);                  \
        if (step_ == VM_STEP_RELOAD)                  \
            goto reload;                              \
        if (step_ == VM_STEP_STOP)                    \
            goto stop;                                \
        WATCH;                                        \
        forget(&lately);                              \
        NEXT;                                         \
    } while (0)
/* Goes to where a slow path says, unless it stops or changes the frame. */
#define JUMP(find)                                    \
    do {                                              \
        uint32_t target = 0;                          \
        frame->data[1] = pc0 | (uint32_t)(ip - code); \
        switch (find(vm, ip, frame, &target)) {       \
        case VM_STEP_RELOAD: goto reload;             \
        case VM_STEP_STOP: goto stop;                 \
        case VM_STEP_NEXT: break;                     \
        }                                             \
        ip = code + target;                           \
        DISPATCH;                                     \
    } while (0)
#define BOTH_PLAIN ((((unsigned)S[ip->a] ^ DEFINED) | ((unsigned)S[ip->b] ^ DEFINED)) == 0)
#define A_PLAIN (S[ip->a] == DEFINED)
/* Is the register wholly defined, and no piece of a pointer? */
#define WHOLE(r) (S[r] == DEFINED || S[r] == POINTER)
#define A_WHOLE WHOLE(ip->a)
#define BOTH_WHOLE (BOTH_PLAIN || (A_WHOLE && WHOLE(ip->b)))
#define ARITH goto slow_arith
#define LOW(w) (~0ull >> (64 - (w)))
#define SEXT(v, w) ((int64_t)((v) << (64 - (w))) >> (64 - (w)))
#define SET(value)          \
    do {                    \
        R[ip->d] = (value); \
        S[ip->d] = DEFINED; \
        NEXT;               \
    } while (0)
#define BINARY(name, expr)                                  \
    L_##name : if (__builtin_expect(!BOTH_PLAIN, 0)) ARITH; \
    SET(expr)
#define IMMEDIATE(name, expr)                            \
    L_##name : if (__builtin_expect(!A_PLAIN, 0)) ARITH; \
    SET(expr)
#define EQUALITY(name, known, expr)                      \
    L_##name : if (__builtin_expect(!(known), 0)) ARITH; \
    SET(expr)
#define FLOAT_OP(name, expr32, expr64)  \
    BINARY(name##32, of_float(expr32)); \
    BINARY(name##64, of_double(expr64))

enum vm_stop vm_interpret(struct vm *vm)
{
    static void *const label[] = {
#define VM_INSN(name, meaning) &&L_##name,
#include "vm/insn.def"
        NULL,
#define VM_PAIR(name, first, second, third) &&L_##name,
#include "vm/pair.def"
    };
    struct vm_heap *heap = &vm->heap;
    struct vm_obj *frame;
    uint64_t *R, pc0;
    uint16_t *S;
    const struct vm_insn *ip, *code;
    uint64_t count = 0;
    unsigned watch, told; /* flags (vm_obj_marks) of objects whose accesses need a slow path;
                           * flags of objects to which pointers escape that are stored in
                           * them */
    bool kernel;          /* the running function is one of the kernel's */
    const struct vm_function *function;
    struct lately lately;

reload:
    frame = vm_heap_own(heap, vm->s.frame, vm_heap_get(heap, vm->s.frame));
    R = frame->data;
    S = vm_obj_shadow(frame);
    function = &vm->program->functions[vm_ptr_index(R[1])];
    code = function->code;
    kernel = function->kernel;
    ip = code + (uint32_t)R[1];
    pc0 = R[1] & ~0xffffffffull;
    WATCH;
    forget(&lately);
    DISPATCH;

L_NOP:
    NEXT;
L_SITE:
    vm_profile_count(vm, ip);
    NEXT;
L_COVER:
L_COVER_BR:
L_COVER_SWITCH:
    vm_cover(vm, ip, frame);
    NEXT;
L_CONST:
    R[ip->d] = ip->k;
    S[ip->d] = ip->flags ? POINTER : DEFINED;
    NEXT;
L_UNDEF:
    for (uint32_t k = 0; k < ip->b; k++)
        vm_obj_put(frame, (ip->d + k) * 8, 8, 0, 0, 0);
    NEXT;
L_MOV:
    if (__builtin_expect((S[ip->a] & 0xff) != 0xff, 0)) {
        vm_obj_move(frame, ip->d * 8, frame, ip->a * 8, 8);
        NEXT;
    }
    R[ip->d] = R[ip->a];
    S[ip->d] = S[ip->a];
    NEXT;
L_MOVN:
    vm_obj_move(frame, ip->d * 8, frame, ip->a * 8, ip->b * 8);
    NEXT;
L_SELECT:
    if (ip->w == 1 && S[ip->a] == DEFINED) {
        uint32_t from = R[ip->a] & 1 ? ip->b : (uint32_t)ip->k;
        if ((S[from] & 0xff) == 0xff) {
            R[ip->d] = R[from];
            S[ip->d] = S[from];
            NEXT;
        }
    }
    SLOW(select_slow(ip, frame));
L_FREEZE:
    if ((S[ip->a] & 0xff) != 0xff)
        ARITH;
    R[ip->d] = R[ip->a];
    S[ip->d] = S[ip->a];
    NEXT;
L_DEFINED:
    R[ip->d] = vm_mask(frame, ip->a);
    S[ip->d] = DEFINED;
    NEXT;

    BINARY(ADD, (R[ip->a] + R[ip->b]) & LOW(ip->w));
    BINARY(SUB, (R[ip->a] - R[ip->b]) & LOW(ip->w));
    BINARY(MUL, (R[ip->a] * R[ip->b]) & LOW(ip->w));
    BINARY(AND, R[ip->a] & R[ip->b]);
    BINARY(OR, R[ip->a] | R[ip->b]);
    BINARY(XOR, R[ip->a] ^ R[ip->b]);
L_OR_F:
    if (__builtin_expect(!BOTH_PLAIN || R[ip->a] & R[ip->b], 0))
        ARITH;
    SET(R[ip->a] | R[ip->b]);
    IMMEDIATE(ADD_K, (R[ip->a] + ip->k) & LOW(ip->w));
    IMMEDIATE(SUB_K, (R[ip->a] - ip->k) & LOW(ip->w));
    IMMEDIATE(MUL_K, (R[ip->a] * ip->k) & LOW(ip->w));
    IMMEDIATE(SHL_K, (R[ip->a] << ip->k) & LOW(ip->w));
    IMMEDIATE(LSHR_K, R[ip->a] >> ip->k);
    IMMEDIATE(ASHR_K, (uint64_t)(SEXT(R[ip->a], ip->w) >> ip->k) & LOW(ip->w));
    IMMEDIATE(AND_K, R[ip->a] & ip->k);
    IMMEDIATE(OR_K, R[ip->a] | ip->k);
    IMMEDIATE(XOR_K, R[ip->a] ^ ip->k);
L_ADD_NSW_K: {
    int64_t r;
    unsigned s = 64u - ip->w;
    if (__builtin_expect(!A_PLAIN || __builtin_add_overflow((int64_t)(R[ip->a] << s),
                                                            (int64_t)(ip->k << s), &r),
                         0))
        ARITH;
    SET((uint64_t)r >> s);
}
L_MUL_NSW_K: {
    int64_t r;
    unsigned s = 64u - ip->w;
    if (__builtin_expect(!A_PLAIN || __builtin_mul_overflow((int64_t)(R[ip->a] << s),
                                                            SEXT(ip->k, ip->w), &r),
                         0))
        ARITH;
    SET((uint64_t)r >> s);
}
L_ADD_F: {
    int64_t r;
    unsigned s = 64u - ip->w;
    if (__builtin_expect(!BOTH_PLAIN ||
                             __builtin_add_overflow((int64_t)(R[ip->a] << s),
                                                    (int64_t)(R[ip->b] << s), &r) ||
                             (ip->flags & VM_NUW && (uint64_t)r >> s < R[ip->a]),
                         0))
        ARITH;
    SET((uint64_t)r >> s);
}
L_SUB_F: {
    int64_t r;
    unsigned s = 64u - ip->w;
    if (__builtin_expect(
            !BOTH_PLAIN || ip->flags & VM_NUW ||
                __builtin_sub_overflow((int64_t)(R[ip->a] << s), (int64_t)(R[ip->b] << s), &r),
            0))
        ARITH;
    SET((uint64_t)r >> s);
}
L_MUL_F: {
    int64_t r;
    unsigned s = 64u - ip->w;
    if (__builtin_expect(
            !BOTH_PLAIN || ip->flags & VM_NUW ||
                __builtin_mul_overflow((int64_t)(R[ip->a] << s), SEXT(R[ip->b], ip->w), &r),
            0))
        ARITH;
    SET((uint64_t)r >> s);
}
L_UDIV:
    if (!BOTH_PLAIN || R[ip->b] == 0)
        ARITH;
    SET(R[ip->a] / R[ip->b]);
L_UREM:
    if (!BOTH_PLAIN || R[ip->b] == 0)
        ARITH;
    SET(R[ip->a] % R[ip->b]);
L_SHL:
    if (!BOTH_PLAIN || R[ip->b] >= ip->w)
        ARITH;
    SET((R[ip->a] << R[ip->b]) & LOW(ip->w));
L_LSHR:
    if (!BOTH_PLAIN || R[ip->b] >= ip->w)
        ARITH;
    SET(R[ip->a] >> R[ip->b]);
L_ASHR:
    if (!BOTH_PLAIN || R[ip->b] >= ip->w)
        ARITH;
    SET((uint64_t)(SEXT(R[ip->a], ip->w) >> R[ip->b]) & LOW(ip->w));
L_SDIV:
    if (!BOTH_PLAIN || R[ip->b] + 1 < 2 || R[ip->b] == LOW(ip->w))
        ARITH;
    SET((uint64_t)(SEXT(R[ip->a], ip->w) / SEXT(R[ip->b], ip->w)) & LOW(ip->w));
L_SREM:
    if (!BOTH_PLAIN || R[ip->b] + 1 < 2 || R[ip->b] == LOW(ip->w))
        ARITH;
    SET((uint64_t)(SEXT(R[ip->a], ip->w) % SEXT(R[ip->b], ip->w)) & LOW(ip->w));
L_SHL_F:
    if (!BOTH_PLAIN || R[ip->b] > 8 || R[ip->a] >> 16 || ip->w < 32)
        ARITH;
    SET(R[ip->a] << R[ip->b]);
L_UDIV_F:
L_SDIV_F:
L_LSHR_F:
L_ASHR_F:
    ARITH;

    EQUALITY(EQ, BOTH_WHOLE, R[ip->a] == R[ip->b]);
    EQUALITY(NE, BOTH_WHOLE, R[ip->a] != R[ip->b]);
    BINARY(ULT, R[ip->a] < R[ip->b]);
    BINARY(ULE, R[ip->a] <= R[ip->b]);
    BINARY(SLT, SEXT(R[ip->a], ip->w) < SEXT(R[ip->b], ip->w));
    BINARY(SLE, SEXT(R[ip->a], ip->w) <= SEXT(R[ip->b], ip->w));
    EQUALITY(EQ_K, A_WHOLE, R[ip->a] == ip->k);
    EQUALITY(NE_K, A_WHOLE, R[ip->a] != ip->k);
    IMMEDIATE(ULT_K, R[ip->a] < ip->k);
    IMMEDIATE(UGT_K, R[ip->a] > ip->k);
    IMMEDIATE(SLT_K, SEXT(R[ip->a], ip->w) < SEXT(ip->k, ip->w));
    IMMEDIATE(SGT_K, SEXT(R[ip->a], ip->w) > SEXT(ip->k, ip->w));

    IMMEDIATE(TRUNC, R[ip->a] & LOW(ip->w));
L_TRUNC_F: {
    uint64_t v = R[ip->a] & LOW(ip->w);
    if (__builtin_expect(
            !A_PLAIN || (ip->flags & VM_NUW && v != R[ip->a]) ||
                (ip->flags & VM_NSW && (((uint64_t)SEXT(v, ip->w) ^ R[ip->a]) & LOW(ip->b))),
            0))
        ARITH;
    SET(v);
}
L_NNEG:
    if (__builtin_expect(!A_PLAIN || R[ip->a] >> (ip->w - 1), 0))
        ARITH;
    SET(R[ip->a]);
    IMMEDIATE(SEXT, (uint64_t)SEXT(R[ip->a], ip->w) & LOW(ip->b));
    FLOAT_OP(FADD, as_float(R[ip->a]) + as_float(R[ip->b]),
             as_double(R[ip->a]) + as_double(R[ip->b]));
    FLOAT_OP(FSUB, as_float(R[ip->a]) - as_float(R[ip->b]),
             as_double(R[ip->a]) - as_double(R[ip->b]));
    FLOAT_OP(FMUL, as_float(R[ip->a]) * as_float(R[ip->b]),
             as_double(R[ip->a]) * as_double(R[ip->b]));
    FLOAT_OP(FDIV, as_float(R[ip->a]) / as_float(R[ip->b]),
             as_double(R[ip->a]) / as_double(R[ip->b]));
    FLOAT_OP(FREM, fmodf(as_float(R[ip->a]), as_float(R[ip->b])),
             fmod(as_double(R[ip->a]), as_double(R[ip->b])));
    IMMEDIATE(FNEG, R[ip->a] ^ 1ull << (ip->w - 1));
    BINARY(FCMP32, float_compare((unsigned)ip->k, as_float(R[ip->a]), as_float(R[ip->b])));
    BINARY(FCMP64, float_compare((unsigned)ip->k, as_double(R[ip->a]), as_double(R[ip->b])));
    IMMEDIATE(FPTRUNC, of_float((float)as_double(R[ip->a])));
    IMMEDIATE(FPEXT, of_double(as_float(R[ip->a])));
#define TO_SIGNED(name, read)                                             \
    L_##name:                                                             \
    {                                                                     \
        double x = read(R[ip->a]), limit = ldexp(1, ip->w - 1);           \
        if (!A_PLAIN || !(x >= -limit || x > -limit - 1) || !(x < limit)) \
            ARITH;                                                        \
        SET((uint64_t)(int64_t)x &LOW(ip->w));                            \
    }
#define TO_UNSIGNED(name, read)                             \
    L_##name:                                               \
    {                                                       \
        double x = read(R[ip->a]), limit = ldexp(1, ip->w); \
        if (!A_PLAIN || !(x > -1 && x < limit))             \
            ARITH;                                          \
        SET((uint64_t)x);                                   \
    }
    TO_SIGNED(F32_TO_SI, as_float)
    TO_SIGNED(F64_TO_SI, as_double)
    TO_UNSIGNED(F32_TO_UI, as_float)
    TO_UNSIGNED(F64_TO_UI, as_double)
    IMMEDIATE(SI_TO_F32, of_float((float)SEXT(R[ip->a], ip->w)));
    IMMEDIATE(UI_TO_F32, of_float((float)R[ip->a]));
    IMMEDIATE(SI_TO_F64, of_double((double)SEXT(R[ip->a], ip->w)));
    IMMEDIATE(UI_TO_F64, of_double((double)R[ip->a]));

L_PTRADD: {
    int64_t off = (int64_t)(int32_t)(uint32_t)R[ip->a] + (int64_t)ip->k;
    if (__builtin_expect(S[ip->a] != POINTER || off != (int32_t)off, 0))
        ARITH;
    R[ip->d] = R[ip->a] + ip->k;
    S[ip->d] = POINTER;
    NEXT;
}
L_INDEX: {
    int64_t by;
    if (__builtin_expect(
            S[ip->a] != POINTER || S[ip->b] != DEFINED ||
                __builtin_mul_overflow(SEXT(R[ip->b], ip->w), (int64_t)(ip->k >> 32), &by),
            0))
        ARITH;
    by += (int32_t)(uint32_t)ip->k;
    int64_t off = (int64_t)(int32_t)(uint32_t)R[ip->a] + by;
    if (__builtin_expect(off != (int32_t)off, 0))
        ARITH;
    R[ip->d] = R[ip->a] + (uint64_t)by;
    S[ip->d] = POINTER;
    NEXT;
}
L_TLS:
    R[ip->d] = vm->s.reg[VM_REG_TLS] + ip->k;
    S[ip->d] = POINTER;
    NEXT;

    LOAD(LOAD1, uint8_t, 1, true)
    LOAD(LOAD2, uint16_t, 2, true)
    LOAD(LOAD4, uint32_t, 4, true)
    LOAD(LOAD8, uint64_t, 8, false)
    LOADX(LOADX1, uint8_t, 1)
    LOADX(LOADX2, uint16_t, 2)
    LOADX(LOADX4, uint32_t, 4)
    LOADX(LOADX8, uint64_t, 8)
    STORE(STORE1, uint8_t, 1)
    STORE(STORE2, uint16_t, 2)
    STORE(STORE4, uint32_t, 4)
    STORE(STORE8, uint64_t, 8)
    STOREX(STOREX1, uint8_t, 1)
    STOREX(STOREX2, uint16_t, 2)
    STOREX(STOREX4, uint32_t, 4)
    STOREX(STOREX8, uint64_t, 8)
slow_arith: {
    struct vm_insn one = *ip;
    one.op = (uint16_t)vm_first_op(ip->op);
    SLOW(vm_slow_arith(vm, &one, frame));
}
L_LOADN:
slow_load:
    SLOW(vm_slow_load(vm, ip, frame));
slow_store:
    if (S[ip->a] == POINTER && make_own(heap, R[ip->a], watch)) {
        forget(&lately);
        goto *label[ip->op];
    }
L_STOREN:
    SLOW(vm_slow_store(vm, ip, frame));
L_ALOAD:
L_ASTORE:
L_RMW:
L_CMPXCHG:
L_FENCE:
    SLOW(vm_atomic(vm, ip, frame));
L_ALLOCA:
    SLOW(vm_make_alloca(vm, ip, frame));
L_ALLOCA_END:
    SLOW(vm_end_alloca(vm, ip, frame));
L_STACKSAVE:
    vm_set(frame, ip->d, frame->link ? vm_ptr(VM_ID_HEAP, frame->link, 0) : 0,
           frame->link ? POINTER : DEFINED);
    NEXT;
L_STACKRESTORE:
    SLOW(vm_restore_stack(vm, ip, frame));
L_MEMCPY:
L_MEMMOVE:
L_MEMSET:
L_VA_COPY:
    SLOW(vm_block(vm, ip, frame));
L_BYVAL:
    SLOW(vm_copy_argument(vm, ip, frame));

L_JMP:
    ip = code + ip->k;
    DISPATCH;
L_LOOP:
    if (__builtin_expect(++vm->s.loops >= VM_MAX_LOOPS, 0)) {
        frame->data[1] = pc0 | (uint32_t)(ip - code);
        enum vm_step step = vm_loop(vm);
        forget(&lately);
        if (step != VM_STEP_NEXT)
            goto *(step == VM_STEP_STOP ? &&stop : &&reload);
    }
    ip = code + ip->k;
    DISPATCH;
L_BR:
    if (__builtin_expect((S[ip->a] & 0xff) != 0xff, 0))
        SLOW(vm_fault(vm, VM_FAULT_UNDEFINED, "branch on an undefined value"));
    ip = code + (R[ip->a] & 1 ? ip->k >> 32 : (uint32_t)ip->k);
    DISPATCH;
/* Branches in the host's code as well, so that the next instruction need not wait for the
 * condition. */
#define GO(yes, high, low)      \
    do {                        \
        if (yes) {              \
            ip = code + (high); \
            DISPATCH;           \
        }                       \
        __asm__("");            \
        ip = code + (low);      \
        DISPATCH;               \
    } while (0)
#define BRANCH(name, known, expr)                                   \
    L_##name : if (__builtin_expect(!(known), 0)) goto slow_branch; \
    GO(expr, ip->k >> 32, (uint32_t)ip->k)
#define BRANCH_K(name, known, expr)                                 \
    L_##name : if (__builtin_expect(!(known), 0)) goto slow_branch; \
    GO(expr, ip->d, ip->b)
    BRANCH(BR_EQ, BOTH_WHOLE, R[ip->a] == R[ip->b]);
    BRANCH(BR_NE, BOTH_WHOLE, R[ip->a] != R[ip->b]);
    BRANCH(BR_ULT, BOTH_PLAIN, R[ip->a] < R[ip->b]);
    BRANCH(BR_ULE, BOTH_PLAIN, R[ip->a] <= R[ip->b]);
    BRANCH(BR_SLT, BOTH_PLAIN, SEXT(R[ip->a], ip->w) < SEXT(R[ip->b], ip->w));
    BRANCH(BR_SLE, BOTH_PLAIN, SEXT(R[ip->a], ip->w) <= SEXT(R[ip->b], ip->w));
    BRANCH_K(BR_EQ_K, A_WHOLE, R[ip->a] == ip->k);
    BRANCH_K(BR_NE_K, A_WHOLE, R[ip->a] != ip->k);
    BRANCH_K(BR_ULT_K, A_PLAIN, R[ip->a] < ip->k);
    BRANCH_K(BR_UGT_K, A_PLAIN, R[ip->a] > ip->k);
    BRANCH_K(BR_SLT_K, A_PLAIN, SEXT(R[ip->a], ip->w) < SEXT(ip->k, ip->w));
    BRANCH_K(BR_SGT_K, A_PLAIN, SEXT(R[ip->a], ip->w) > SEXT(ip->k, ip->w));
slow_branch:
    JUMP(vm_slow_branch);
L_SWITCH:
    JUMP(vm_find_case);
L_CALL:
    SLOW(vm_call(vm, ip, (uint32_t)ip->k, frame));
L_CALLI:
    SLOW(vm_call_indirect(vm, ip, frame));
L_RET:
    SLOW(vm_return(vm, ip, frame));
L_UNREACHABLE:
    SLOW(vm_fault(vm, VM_FAULT_UNREACHABLE, "unreachable code reached"));
L_UNRESOLVED:
    SLOW(vm_unresolved(vm, vm_ptr_index(pc0)));
L_UNSUPPORTED:
    SLOW(vm_fault(vm, ip->flags ? VM_FAULT_BAD_CALL : VM_FAULT_UNSUPPORTED, "%s",
                  vm->program->texts[ip->k]));
L_SETJMP:
    SLOW(vm_setjmp(vm, ip, frame));
L_LANDED:
    if (++vm->s.loops >= VM_MAX_LOOPS) { /* a loop may be made of longjmps */
        frame->data[1] = pc0 | (uint32_t)(ip - code);
        enum vm_step step = vm_loop(vm);
        forget(&lately);
        if (step != VM_STEP_NEXT)
            goto *(step == VM_STEP_STOP ? &&stop : &&reload);
    }
    NEXT;

L_APINT:
    SLOW(vm_apint(vm, ip, frame));
L_LONGDOUBLE:
    SLOW(vm_longdouble(vm, ip, frame));
L_RECAST:
    SLOW(vm_recast(vm, ip, frame));
L_OVERFLOW:
L_INT2:
L_INT1:
L_FSHIFT:
L_FLOAT1:
L_ROUNDED:
L_FLOAT2:
L_FMA:
L_FREXP:
L_FPCLASS:
L_TO_INT_SAT:
L_FROM_HALF:
L_TO_HALF:
L_ASSUME:
L_CHECKED:
L_VA_START:
L_OBJECTSIZE:
    SLOW(vm_slow_intrinsic(vm, ip, frame));

L_OBJ_MAKE:
L_OBJ_FREE:
L_OBJ_SIZE:
L_OBJ_RESIZE:
L_OBJ_SHARED:
L_INTERRUPT_MEM:
L_CHOOSE:
    SLOW(vm_hypercall(vm, ip, frame));
L_NOTE:
    if (vm->listener)
        vm_note_variable(vm, ip, frame);
    NEXT;
L_TRACE:
    if (!vm->listener && !vm_trace_is_heard(R[ip->d]))
        NEXT;
    SLOW(vm_hypercall(vm, ip, frame));
L_CONTROL: {
    bool simple = ip->a == VM_REG_USER || ip->a == VM_REG_TLS || ip->a == VM_REG_SAVE ||
                  ip->a == VM_REG_STATE;
    if (!ip->flags || !simple || ip->w > VM_SET || (ip->w == VM_SET && !WHOLE(ip->k)))
        SLOW(vm_hypercall(vm, ip, frame));
    uint64_t old = vm->s.reg[ip->a];
    if (ip->w == VM_SET)
        vm->s.reg[ip->a] = R[ip->k];
    R[ip->d] = old;
    S[ip->d] = old ? POINTER : DEFINED;
    NEXT;
}

L_GET:
    R[ip->d] = vm->s.reg[ip->a];
    S[ip->d] = R[ip->d] ? POINTER : DEFINED;
    NEXT;
L_ENTER:
    if (__builtin_expect(vm_has_deferred(vm), 0))
        SLOW(vm_call_deferred(vm));
L_FLAGS:
    if (ip->flags) {
        R[ip->d] = vm->s.reg[VM_REG_FLAGS];
        S[ip->d] = DEFINED;
    }
    if (ip->w)
        vm->s.reg[VM_REG_FLAGS] |= ip->k;
    else
        vm->s.reg[VM_REG_FLAGS] &= ~ip->k;
    WATCH;
    forget(&lately);
    NEXT;

    /* ---- several at once: pair.def ---- */
    INDEXED(MUL_ADD_LOADX4, MUL_NSW_K, 2, A_AND_NEXT_PLAIN, MULTIPLIES, uint32_t, 4)
    INDEXED(MUL_ADD_LOADX8, MUL_NSW_K, 2, A_AND_NEXT_PLAIN, MULTIPLIES, uint64_t, 8)
    INDEXED(ADD_LOADX4, ADD_F, 1, BOTH_PLAIN, ADDS, uint32_t, 4)
    INDEXED(ADD_LOADX8, ADD_F, 1, BOTH_PLAIN, ADDS, uint64_t, 8)
    INDEXED(SUB_LOADX4, SUB_F, 1, BOTH_PLAIN, SUBTRACTS, uint32_t, 4)
    INDEXED(SUB_LOADX8, SUB_F, 1, BOTH_PLAIN, SUBTRACTS, uint64_t, 8)
    INDEXED(INC_LOADX4, ADD_NSW_K, 1, A_PLAIN, INCREMENTS, uint32_t, 4)
    INDEXED(INC_LOADX8, ADD_NSW_K, 1, A_PLAIN, INCREMENTS, uint64_t, 8)
L_MUL_ADD_LOADX8_FMUL_FADD:
    if (__builtin_expect(S[ip[3].a] != DEFINED, 0))
        goto L_MUL_NSW_K;
    ADD_PRODUCT(as_double(R[ip[3].a]));
L_PRODUCT_OF_TWO: {
    LOAD_DOUBLE(left);
    count += 3;
    ip += 3;
    ADD_PRODUCT(left);
}
    MULTIPLIED(FMUL_FADD, a, as_double(R[ip->a]), product)
    MULTIPLIED(FMUL_PLUS, b, product, as_double(R[ip->b]))
    COUNTED(INC_LOOP_SLT_K, ADD_NSW_K, A_PLAIN, INCREMENTS, true, r < INT(ip->k), ip->d, ip->b)
    COUNTED(INC_LOOP_SLT, ADD_NSW_K, A_PLAIN, INCREMENTS, S[branch->b] == DEFINED,
            r < INT(R[ip->b]), ip->k >> 32, (uint32_t)ip->k)
    COUNTED(SUB_LOOP_SLE, SUB_F, BOTH_PLAIN, SUBTRACTS, S[branch->a] == DEFINED,
            INT(R[ip->a]) <= r, ip->k >> 32, (uint32_t)ip->k)

stop:
    vm->stats.instructions += count;
    return vm->stop;
}
