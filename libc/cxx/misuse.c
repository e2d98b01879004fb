/* misuse.c - what a class of the library finds that it was not made for: see patch.sh. */
#include "os/error.h"

_Noreturn void __cxx_misuse(const char *message);

_Noreturn void __cxx_misuse(const char *message)
{
    __os_error(VM_FAULT_CXX, message);
}
