// A loop that only an assumption ends.  Result: correct.
// -DLATE drops no more than one of two ways: endless run.
#include <divm.h>

int main(void)
{
    int n = divm_choose(2);
#ifdef LATE
    for (;;)
        divm_assume(n);
#else
    divm_assume(n);
    if (!n)
        for (;;)
            ;
#endif
}
