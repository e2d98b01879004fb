// Weak functions and variables: there, not there, overridden.  Result: correct.
#include <assert.h>

__attribute__((weak)) int missing(void);
extern int nothing __attribute__((weak));
__attribute__((weak)) int present(void)
{
    return 3;
}

int main(void)
{
    assert(!missing && !&nothing);
    assert(present && present() == 3);
    return missing ? missing() : 0;
}
