// What neither the libraries nor the kernel have is refused by name, with a reason; what nobody
// knows is undefined; the program's own function of such a name is called.
//
// Result: correct.  -DSYSTEM: refused.  -DDLOPEN: refused.  -DHOSTS: refused.
// -DGLIBC: refused.  -DEXEC: refused.  -DNOBODY: refused.
// Expect-SYSTEM: unsupported function: divm does not support system\(\): no other program can be executed \(main at refused_functions.c:@system\)
// Expect-DLOPEN: unsupported function: divm does not support dlopen\(\): the program is linked as a whole before it is run
// Expect-HOSTS: unsupported function: divm does not support getaddrinfo\(\): there is no network
// Expect-GLIBC: unsupported function: divm does not support mallopt\(\): the heap is the machine's own
// Expect-EXEC: unsupported system call: divm does not support the system call execve
// Expect-NOBODY: call of an undefined function: call of nobody_knows, which is not defined anywhere
#include <dlfcn.h>
#include <netdb.h>
#include <stdlib.h>
#include <unistd.h>

int mallopt(int parameter, int value);
int nobody_knows(void);
int popen(int own); /* not POSIX's */
int popen(int own)
{
    return own;
}

int main(void)
{
#ifdef SYSTEM
    system("true"); // @system
#elif defined(DLOPEN)
    dlopen("libm.so", RTLD_NOW);
#elif defined(HOSTS)
    struct addrinfo *list;
    getaddrinfo("localhost", "http", NULL, &list);
#elif defined(GLIBC)
    mallopt(1, 1);
#elif defined(EXEC)
    execl("/bin/true", "true", (char *)NULL);
#elif defined(NOBODY)
    nobody_knows();
#endif
    return popen(0);
}
