/* Concurrency Kit takes the compiler's atomic operations instead of assembly, if it is told to.
 */
#ifndef CK_USE_CC_BUILTINS
#define CK_USE_CC_BUILTINS 1
#endif
#include_next <ck_md.h>
