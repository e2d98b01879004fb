// The program sees no file of the host and none of its variables, and writes nothing there: see
// docs/LIMITS.md.  Result: correct.
// -DTHERE takes it that there is a file: assertion violation.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    FILE *file = fopen("/etc/passwd", "r");
#ifdef THERE
    assert(file);
#else
    assert(!file);
#endif
    assert(!getenv("USER") && !getenv("SHELL"));
    file = fopen("divm_was_here", "w");
    assert(file);
    fclose(file);
    file = fopen("divm_was_here", "r");
    assert(file);
    fclose(file);
    return 0;
}
