/* interp_pair.h - executes several instructions at once (pair.def).  If anything is not as
 * usual, nothing is done: the interpreter goes on at the first instruction alone, and the
 * others follow as they stand.  For vm_interpret alone: these macros use its variables and
 * labels. */
#ifndef VM_INTERP_PAIR_H
#define VM_INTERP_PAIR_H

#include "interp_memory.h"
#include "vm/exec/atomic.h"

/* ip[0] to ip[access - 1] compute the index r, ip[access] loads there, into the register that
 * the index would have. */
#define INDEXED(name, first, access, plain, overflow, type, bytes)                         \
    L_##name:                                                                              \
    {                                                                                      \
        int32_t r;                                                                         \
        if (__builtin_expect(!(plain) || (overflow), 0))                                   \
            goto L_##first;                                                                \
        LOAD_ELEMENT(&ip[access], (uint64_t)(INT(R[ip[access].a]) + r * (int64_t)(bytes)), \
                     type, bytes, L_##first);                                              \
    }
#define INT(r) ((int32_t)(uint32_t)(r))
#define ADDS __builtin_add_overflow(INT(R[ip->a]), INT(R[ip->b]), &r)
#define SUBTRACTS __builtin_sub_overflow(INT(R[ip->a]), INT(R[ip->b]), &r)
#define INCREMENTS __builtin_add_overflow(INT(R[ip->a]), INT(ip->k), &r)
#define MULTIPLIES                                            \
    (__builtin_mul_overflow(INT(R[ip->a]), INT(ip->k), &r) || \
     __builtin_add_overflow(r, INT(R[ip[1].b]), &r))
#define A_AND_NEXT_PLAIN \
    ((((unsigned)S[ip->a] ^ DEFINED) | ((unsigned)S[ip[1].b] ^ DEFINED)) == 0)
/* Multiplies and adds.  The result is rounded twice, as by the two instructions. */
#define MULTIPLIED(name, other, left, right)                                                \
    L_##name                                                                                \
        : if (__builtin_expect(!BOTH_PLAIN || S[ip[1].other] != DEFINED, 0)) goto L_FMUL64; \
    {                                                                                       \
        double product = as_double(R[ip->a]) * as_double(R[ip->b]);                         \
        R[ip->d] = of_double(product);                                                      \
        S[ip->d] = DEFINED;                                                                 \
        count++;                                                                            \
        ip++;                                                                               \
        SET(of_double((left) + (right)));                                                   \
    }
/* Loads the element at an index, a double, into R[ip->d] and v. */
#define LOAD_DOUBLE(v)                                                             \
    double v;                                                                      \
    do {                                                                           \
        int32_t r;                                                                 \
        if (__builtin_expect(!A_AND_NEXT_PLAIN || MULTIPLIES, 0))                  \
            goto L_MUL_NSW_K;                                                      \
        uint64_t number = NUMBER((uint64_t)(INT(R[ip[2].a]) + r * (int64_t)8), 8); \
        FIND(&ip[2], number, 8, L_MUL_NSW_K);                                      \
        if (__builtin_expect(ELEMENT_SHADOW(p, number, 8) != DEFINED, 0))          \
            goto L_MUL_NSW_K;                                                      \
        memcpy(&(v), (const char *)OBJECT(p)->data + number * 8, sizeof(v));       \
        R[ip->d] = of_double(v);                                                   \
        S[ip->d] = DEFINED;                                                        \
    } while (0)
/* Multiplies the product by `other` and adds it to the register of ip[4]. */
#define ADD_PRODUCT(other)                              \
    do {                                                \
        if (__builtin_expect(S[ip[4].a] != DEFINED, 0)) \
            goto L_MUL_NSW_K;                           \
        LOAD_DOUBLE(element);                           \
        double product = (other) * element;             \
        R[ip[3].d] = of_double(product);                \
        S[ip[3].d] = DEFINED;                           \
        count += 4;                                     \
        ip += 4;                                        \
        SET(of_double(as_double(R[ip->a]) + product));  \
    } while (0)
/* Ends a loop's body: the counter, now r, the back-edge, the condition. */
#define COUNTED(name, first, plain, overflow, known, condition, yes, no)                   \
    L_##name:                                                                              \
    {                                                                                      \
        int32_t r;                                                                         \
        const struct vm_insn *branch = code + ip[1].k;                                     \
        if (__builtin_expect(                                                              \
                !(plain) || (overflow) || !(known) || vm->s.loops + 1 >= VM_MAX_LOOPS, 0)) \
            goto L_##first;                                                                \
        R[ip->d] = (uint32_t)r;                                                            \
        S[ip->d] = DEFINED;                                                                \
        vm->s.loops++;                                                                     \
        ip = branch;                                                                       \
        count += 2;                                                                        \
        GO(condition, yes, no);                                                            \
    }

#endif
