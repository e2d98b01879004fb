/* interrupt.c - see interrupt.h. */
#include <stdatomic.h>

#include "checker/search/interrupt.h"

_Atomic int check_interrupted, check_asked;

bool check_is_interrupted(void)
{
    return atomic_load_explicit(&check_interrupted, memory_order_relaxed);
}
