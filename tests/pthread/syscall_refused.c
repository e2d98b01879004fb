// A system call that the kernel does not have is refused by name.  Result: refused.
// Expect: system call clone is not supported
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    return (int)syscall(SYS_clone, 0, 0, 0, 0, 0);
}
