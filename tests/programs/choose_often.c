// Forty choices in a row, of which only the sum matters: they are no tree of 2^40 leaves.
// Result: correct.  -DBUG one sum is wrong: assertion violation.
#include <assert.h>
#include <divm.h>

int main(void)
{
    int sum = 0;
    for (int k = 0; k < 40; k++)
        sum += divm_choose(2);
#ifdef BUG
    assert(sum != 17);
#else
    assert(sum >= 0 && sum <= 40);
#endif
    return 0;
}
