// An assumption leaves runs out: of what goes on, only those count in which it holds.
// Result: correct.  -DALL leaves none out: formula violated.
// Options: --ltl='F(x == 1)'
#include <divm.h>

static int x;

int main(void)
{
    int choice = divm_choose(2);
    if (choice)
        x = 1;
#ifndef ALL
    divm_assume(choice == 1);
#endif
    return 0;
}
