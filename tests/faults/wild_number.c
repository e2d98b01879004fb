// A number that never was a pointer is an invalid one, whatever objects there are below 4 GiB.
// Result: memory error.
// -DATOMIC: memory error.
// -DFREE: memory error.
// -DCALL: bad call.
// Expect: invalid pointer: read through an invalid pointer 0xdeadbeef \(main at wild_number.c:@read\)
// Expect-ATOMIC: invalid pointer: write through an invalid pointer 0xdeadbeef
// Expect-FREE: free of something malloc did not give: address 0xdeadbeef
// Expect-CALL: call through a pointer that is no function: address 0xdeadbeef
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    void *wild = (void *)(uintptr_t)0xdeadbeef;
#if defined ATOMIC
    return __atomic_fetch_add((int *)wild, 1, __ATOMIC_SEQ_CST);
#elif defined FREE
    free(wild);
    return 0;
#elif defined CALL
    ((void (*)(void))(uintptr_t)wild)();
    return 0;
#else
    return *(volatile int *)wild; // @read
#endif
}
