// With --malloc-may-fail an allocation fails: see docs/LIMITS.md.  Result: assertion violation.
// Options: --malloc-may-fail
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *memory = malloc(sizeof *memory);
    assert(memory);
    free(memory);
    return 0;
}
