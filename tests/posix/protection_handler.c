// A handler of SIGSEGV is not run: where there is one, accesses of protected memory may be made
// on purpose, and are refused.
//
// Result: refused.
// -DIGNORED: memory error.
// Expect: an access of protected memory, for which there is a handler of SIGSEGV, is not supported
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>

static sigjmp_buf back;

static void handle(int signal)
{
    (void)signal;
    siglongjmp(back, 1);
}

int main(void)
{
    volatile char *p = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#ifdef IGNORED
    signal(SIGSEGV, SIG_IGN);
    (void)handle;
#else
    signal(SIGSEGV, handle);
#endif
    if (!sigsetjmp(back, 1))
        *p = 1;
    return munmap((void *)p, 4096);
}
