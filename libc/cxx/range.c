/* range.c - whether a pointer points into a range, which containers ask about pointers they are
 * given.
 *
 * Only pointers into the same object are compared, so that where objects are tells nothing: a
 * program is taken to look at addresses if it orders those of different objects. */
#include <stdbool.h>
#include <stdint.h>

bool __cxx_is_in_range(const char *begin, const char *end, const char *p);

/* Returns the beginning of a pointer's object.  An optimiser that compares two of these would
 * look at their difference. */
__attribute__((optnone, noinline)) static const char *object_of(const char *p)
{
    return (const char *)((uintptr_t)p & ~(uintptr_t)UINT32_MAX);
}

__attribute__((optnone)) bool __cxx_is_in_range(const char *begin, const char *end,
                                                const char *p)
{
    return object_of(begin) == object_of(p) && begin <= p && p < end;
}
