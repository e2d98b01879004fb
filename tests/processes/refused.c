// Programs of the host cannot be run, and a program that looks at addresses cannot fork.
//
// Result: refused.  -DEXECVP: refused.  -DLOOK: refused.
// Expect: execve
// Expect-EXECVP: execve
// Expect-LOOK: fork is not supported in a program that looks at addresses
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    char *args[] = {"true", NULL};
    void *a = malloc(8);
#ifdef LOOK
    if ((uintptr_t)a % 1021 % 2)
        usleep(1);
#endif
    if (fork() == 0) {
#ifdef EXECVP
        execvp("true", args);
#else
        execl("/bin/true", args[0], (char *)NULL);
#endif
        _exit(127);
    }
    free(a);
    wait(NULL);
    return 0;
}
