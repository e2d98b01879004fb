/* misuse.c - errors that classes of the library find in how they are used: see patch.sh. */
#include "os/error.h"

_Noreturn void __cxx_misuse(const char *message);

_Noreturn void __cxx_misuse(const char *message)
{
    __os_error(VM_FAULT_CXX, message);
}
