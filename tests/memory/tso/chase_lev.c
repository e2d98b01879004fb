// The work-stealing deque of Chase and Lev.  On x86 all its orders can be relaxed, but for the
// fence in take.  Result: correct. -DORDER_2=memory_order_acq_rel the fence in take is missing,
// and an item is taken twice: assertion violation.
// Options: --memory=tso -DORDER_1=memory_order_relaxed -DORDER_4=memory_order_relaxed -DORDER_5=memory_order_relaxed -DORDER_6=memory_order_relaxed -DORDER_7=memory_order_relaxed
#define ORDER_3 memory_order_acquire /* nor is this fence one for x86 */
#include "../algorithms/chase_lev.c"
