// A function that .init_array names by its section is called.  Result: assertion violation.
// -DSECTION=1..4, others of its kind: assertion violation.
#include <assert.h>

#ifndef SECTION
#define NAME ".init_array"
#elif SECTION == 1
#define NAME ".fini_array"
#elif SECTION == 2
#define NAME ".preinit_array"
#elif SECTION == 3
#define NAME ".ctors.65000"
#else
#define NAME ".dtors"
#endif

static void called(void)
{
    assert(0);
}

__attribute__((section(NAME), used)) static void (*const pointer)(void) = called;

int main(void)
{
    return 0;
}
