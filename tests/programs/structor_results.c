// Constructors and destructors may have a result, which nobody looks at, and constructors may
// have the parameters of main, as with glibc.  Result: correct.
// -DPLAIN another function is not called so: bad call.
// Options: -Xclang -w
#include <assert.h>
#include <string.h>

static int made;

__attribute__((constructor(200))) static int make(void)
{
    return ++made;
}

__attribute__((constructor(201))) static void look(int argc, char **argv, char **envp)
{
    assert(made++ == 1 && argc == 1 && strlen(argv[0]) > 0 && !argv[1] && envp[0]);
}

__attribute__((constructor(202))) static double count(int argc)
{
    made += argc;
    return 0.5;
}

__attribute__((constructor(203))) static int nothing(void)
{
}

__attribute__((destructor)) static int unmake(void)
{
    return --made;
}

static int plain(void)
{
    return 0;
}

int main(void)
{
#ifdef PLAIN
    void (*volatile call)(void) = (void (*)(void))plain;
    call();
#endif
    return made - 3 + plain();
}
