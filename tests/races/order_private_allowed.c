// Options: --races=allow
// Where races are not reported, a reader may find the value before the store, too.
// Result: assertion violation.
#define OLD
#include "order_private_atomic.c"
