/* rmw.c - see rmw.h. */
#include "vm/exec/rmw.h"

#include <string.h>

#include "vm/exec/arith.h"

static double as_float(uint64_t v, uint32_t n)
{
    double d;
    float f;
    if (n == 8)
        return memcpy(&d, &v, 8), d;
    return memcpy(&f, &v, 4), f;
}

static uint64_t from_float(double d, uint32_t n)
{
    uint64_t v = 0;
    float f = (float)d;
    if (n == 8)
        memcpy(&v, &d, 8);
    else
        memcpy(&v, &f, 4);
    return v;
}

/* Computes the operations that vm_compute does not have. */
static uint64_t modify(enum vm_rmw op, uint64_t old, uint64_t arg, uint32_t n)
{
    unsigned s = 64 - 8 * n;
    int64_t so = (int64_t)(old << s) >> s, sa = (int64_t)(arg << s) >> s;
    switch (op) {
    case VM_RNAND: return ~(old & arg);
    case VM_RMAX: return so > sa ? old : arg;
    case VM_RMIN: return so < sa ? old : arg;
    case VM_RUMAX: return old > arg ? old : arg;
    case VM_RUMIN: return old < arg ? old : arg;
    case VM_RFADD: return from_float(as_float(old, n) + as_float(arg, n), n);
    case VM_RFSUB: return from_float(as_float(old, n) - as_float(arg, n), n);
    case VM_RFMAX: return from_float(__builtin_fmax(as_float(old, n), as_float(arg, n)), n);
    case VM_RFMIN: return from_float(__builtin_fmin(as_float(old, n), as_float(arg, n)), n);
    case VM_RINC: return old >= arg ? 0 : old + 1;
    case VM_RDEC: return old == 0 || old > arg ? arg : old - 1;
    case VM_XCHG:
    case VM_RADD:
    case VM_RSUB:
    case VM_RAND:
    case VM_ROR:
    case VM_RXOR: break;
    }
    return 0;
}

struct vm_value vm_rmw_value(enum vm_rmw op, uint32_t n, struct vm_value old,
                             struct vm_value arg)
{
    static const uint8_t simple[] = {[VM_RADD] = VM_OP_ADD,
                                     [VM_RSUB] = VM_OP_SUB,
                                     [VM_RAND] = VM_OP_AND,
                                     [VM_ROR] = VM_OP_OR,
                                     [VM_RXOR] = VM_OP_XOR};
    uint64_t low = vm_low(8 * n);
    if (op == VM_XCHG)
        return arg;
    if (op < sizeof simple && simple[op])
        return vm_compute(simple[op], 8 * n, old, arg);
    return (struct vm_value){.v = modify(op, old.v, arg.v, n) & low,
                             .m = (old.m & arg.m) == ~0ull ? ~0ull : ~low,
                             .p = old.p | arg.p ? VM_DERIVED : 0};
}

unsigned __int128 vm_rmw_pair(enum vm_rmw op, unsigned __int128 a, unsigned __int128 b)
{
    switch (op) {
    case VM_RADD: return a + b;
    case VM_RSUB: return a - b;
    case VM_RAND: return a & b;
    case VM_RNAND: return ~(a & b);
    case VM_ROR: return a | b;
    case VM_RXOR: return a ^ b;
    case VM_RMAX: return (__int128)a > (__int128)b ? a : b;
    case VM_RMIN: return (__int128)a < (__int128)b ? a : b;
    case VM_RUMAX: return a > b ? a : b;
    case VM_RUMIN: return a < b ? a : b;
    case VM_RINC: return a >= b ? 0 : a + 1;
    case VM_RDEC: return a == 0 || a > b ? b : a - 1;
    case VM_XCHG:
    case VM_RFADD:
    case VM_RFSUB:
    case VM_RFMAX:
    case VM_RFMIN: break;
    }
    return b;
}
