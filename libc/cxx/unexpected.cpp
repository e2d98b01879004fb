// unexpected.cpp - an exception specification (throw(...), up to C++14) was violated.  What the
// unexpected handler throws goes on if the specification allows it; if not, but std::bad_exception
// is allowed, that takes its place.
#include "cxa_exception.h"
#include "cxa_handlers.h"

using namespace __cxxabiv1;
struct vm_clause;
extern "C" bool __cxx_is_allowed(const vm_clause *filter, const void *type, void *object);

static void *object_of(__cxa_exception *e)
{
    return __getExceptionClass(&e->unwindHeader) == kOurDependentExceptionClass
               ? reinterpret_cast<__cxa_dependent_exception *>(e)->primaryException
               : e + 1;
}

// In its handler: leaves that and the one around it, and goes on with the exception.
[[noreturn]] static void replace_outer(__cxa_exception *e)
{
    e->handlerCount = -e->handlerCount; // as if thrown again: it is not destroyed
    __cxa_get_globals_fast()->uncaughtExceptions++;
    __cxa_end_catch();
    __cxa_end_catch();
    __cxa_begin_catch(&e->unwindHeader);
    throw;
}

extern "C" [[noreturn]] void __cxa_call_unexpected(void *unwinding)
{
    // The handler may throw the same exception again, which overwrites these.
    auto *old = static_cast<__cxa_exception *>(static_cast<void *>(
                    static_cast<_Unwind_Exception *>(unwinding) + 1)) - 1;
    auto *filter = reinterpret_cast<const vm_clause *>(old->actionRecord);
    auto terminate = old->terminateHandler;
    __cxa_begin_catch(unwinding);
    try {
        std::__unexpected(old->unexpectedHandler);
    } catch (...) {
        __cxa_exception *thrown = __cxa_get_globals_fast()->caughtExceptions;
        if (thrown != old && __isOurExceptionClass(&thrown->unwindHeader) &&
            __cxx_is_allowed(filter, thrown->exceptionType, object_of(thrown)))
            replace_outer(thrown);
        std::bad_exception bad;
        if (__cxx_is_allowed(filter, &typeid(bad), &bad)) {
            __cxa_end_catch(); // the new one; leaving this handler ends the old one
            throw bad;
        }
    }
    std::__terminate(terminate);
}
