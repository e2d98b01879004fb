// Writing through a null pointer.  Result: memory error.
// -DREAD reads through it: memory error.
// -DMEMBER reads a member of what it does not point to: memory error.
// -DLIBRARY hands it to a function of the library: memory error.
// Expect: null pointer dereference
// Expect: null.c:@write
// Expect-READ: null.c:@read
// Expect-MEMBER: null pointer dereference
// Expect-MEMBER: null.c:@member
// Expect-LIBRARY: null.c:@library
#include <stddef.h>
#include <string.h>

struct pair {
    int first, second;
};

int main(int argc, char **argv)
{
    (void)argv;
    int here = 0;
    int *p = argc > 5 ? &here : NULL;
#if defined READ
    return *p; // @read
#elif defined MEMBER
    struct pair *q = (struct pair *)p;
    return q->second; // @member
#elif defined LIBRARY
    return (int)strlen((char *)p); // @library
#else
    *p = 1; // @write
    return here;
#endif
}
