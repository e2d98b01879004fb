/* The compiler's atomic operations, which liburcu takes for most processors, instead of the
 * assembly that it has for this one; and for its exchange, which reads plainly first. */
#ifndef _URCU_UATOMIC_H
#define _URCU_UATOMIC_H
#include <urcu/arch.h>
#define uatomic_xchg(addr, v) \
    __atomic_exchange_n((addr), (__typeof__(*(addr)))(v), __ATOMIC_SEQ_CST)
#include <urcu/uatomic/gcc.h>
#endif
