// A system call that the kernel does not have is refused by name.  Result: refused.
// Expect: divm does not support the system call clone
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    return (int)syscall(SYS_clone, 0, 0, 0, 0, 0);
}
