/* libatomic.c - atomic objects of any size: functions that the compiler calls where the
 * processor has no instruction.  Each is one visible action; the caller's buffers are read and
 * written plainly, in user mode. */
#include <stdlib.h>
#include <string.h>

#include "atomic_impl.h"

/* The compiler knows these names as its own. */
void atomic_load_any(size_t, const void *, void *, int) __asm__("__atomic_load");
void atomic_store_any(size_t, void *, const void *, int) __asm__("__atomic_store");
void atomic_exchange_any(size_t, void *, const void *, void *,
                         int) __asm__("__atomic_exchange");
_Bool atomic_compare_any(size_t, void *, void *, const void *, int,
                         int) __asm__("__atomic_compare_exchange");
_Bool atomic_is_free(size_t, const volatile void *) __asm__("__atomic_is_lock_free");

void atomic_load_any(size_t n, const void *from, void *to, int order)
{
    struct atomic_buffer b;
    atomic_begin(&b, n);
    bool acts = atomic_act(VM_ACT_LOAD, from, n);
    memcpy(b.bytes, from, n);
    atomic_order(from, n, ATOMIC_READS, order);
    atomic_leave(acts);
    memcpy(to, b.bytes, n);
    atomic_end(&b);
}

void atomic_store_any(size_t n, void *to, const void *from, int order)
{
    struct atomic_buffer b;
    atomic_begin(&b, n);
    memcpy(b.bytes, from, n);
    bool acts = atomic_act(VM_ACT_STORE, to, n);
    memcpy(to, b.bytes, n);
    atomic_order(to, n, ATOMIC_WRITES, order);
    atomic_leave(acts);
    atomic_end(&b);
}

void atomic_exchange_any(size_t n, void *object, const void *from, void *old, int order)
{
    struct atomic_buffer fresh, was;
    atomic_begin(&fresh, n);
    atomic_begin(&was, n);
    memcpy(fresh.bytes, from, n);
    bool acts = atomic_act(VM_ACT_RMW, object, n);
    memcpy(was.bytes, object, n);
    memcpy(object, fresh.bytes, n);
    atomic_order(object, n, ATOMIC_READS | ATOMIC_WRITES, order);
    atomic_leave(acts);
    memcpy(old, was.bytes, n);
    atomic_end(&fresh);
    atomic_end(&was);
}

_Bool atomic_compare_any(size_t n, void *object, void *expected, const void *desired,
                         int success, int failure)
{
    return atomic_compare_padded(n, object, expected, desired, NULL, 0, success, failure);
}

/* The same for 16 bytes, by value. */
typedef unsigned __int128 wide;
wide __atomic_load_16(const void *, int);
void __atomic_store_16(void *, wide, int);
wide __atomic_exchange_16(void *, wide, int);
_Bool __atomic_compare_exchange_16(void *, void *, wide, int, int);

wide __atomic_load_16(const void *from, int order)
{
    wide value;
    atomic_load_any(16, from, &value, order);
    return value;
}

void __atomic_store_16(void *to, wide value, int order)
{
    atomic_store_any(16, to, &value, order);
}

wide __atomic_exchange_16(void *object, wide value, int order)
{
    wide old;
    atomic_exchange_any(16, object, &value, &old, order);
    return old;
}

_Bool __atomic_compare_exchange_16(void *object, void *expected, wide desired, int success,
                                   int failure)
{
    return atomic_compare_any(16, object, expected, &desired, success, failure);
}

#define FETCH(name, expression)                                        \
    wide __atomic_fetch_##name##_16(void *object, wide b, int order)   \
    {                                                                  \
        bool acts = atomic_act(VM_ACT_RMW, object, 16);                \
        wide a = *(wide *)object;                                      \
        *(wide *)object = expression;                                  \
        atomic_order(object, 16, ATOMIC_READS | ATOMIC_WRITES, order); \
        atomic_leave(acts);                                            \
        return a;                                                      \
    }
FETCH(add, a + b)
FETCH(sub, a - b)
FETCH(and, a &b)
FETCH(or, a | b)
FETCH(xor, a ^ b)
FETCH(nand, ~(a &b))

_Bool atomic_is_free(size_t n, const volatile void *object)
{
    (void)object;
    return n == 1 || n == 2 || n == 4 || n == 8;
}
