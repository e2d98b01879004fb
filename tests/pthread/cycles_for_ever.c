// A thread that reads the counter of cycles without end has endlessly many states.
//
// Result: refused or incomplete.
// Expect: a thread has read the counter of cycles 1048576 times
#include <x86intrin.h>

int main(void)
{
    while (__rdtsc())
        ;
    return 0;
}
