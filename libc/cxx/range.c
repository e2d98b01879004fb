/* range.c - whether a pointer points into a range, as containers ask of what is given to them.
 *
 * Only pointers into the same object are compared, so that where objects are tells nothing: a
 * program is taken to look at addresses if it orders those of different objects. */
#include <stdbool.h>
#include <stdint.h>

bool __cxx_is_in_range(const char *begin, const char *end, const char *p);

/* The beginning of its object.  What an optimiser would make of two of these being compared
 * looks at their difference. */
__attribute__((optnone, noinline)) static const char *object_of(const char *p)
{
    return (const char *)((uintptr_t)p & ~(uintptr_t)UINT32_MAX);
}

__attribute__((optnone)) bool __cxx_is_in_range(const char *begin, const char *end,
                                                const char *p)
{
    return object_of(begin) == object_of(p) && begin <= p && p < end;
}
