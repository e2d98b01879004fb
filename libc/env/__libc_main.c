/* __libc_main.c - the start of the main thread, called by the kernel.  musl's
 * __libc_start_main parses what a Unix kernel puts on the stack; ours is given it.
 * There is nothing to set up: the rest of libc is initialised statically. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libc.h"
#include "vm/hypercall.h"

/* A constructor, as glibc calls it: one that takes fewer arguments, or has a result, is fine,
 * too. */
typedef void constructor(int argc, char **argv, char **envp);

static int call_entry(const struct vm_boot *boot)
{
    char **argv = (char **)boot->argv, **envp = (char **)boot->envp;
    switch (boot->entry_params) {
    case 0: return ((int (*)(void))boot->entry)();
    case 1: return ((int (*)(int))boot->entry)(boot->argc);
    case 2: return ((int (*)(int, char **))boot->entry)(boot->argc, argv);
    default: return ((int (*)(int, char **, char **))boot->entry)(boot->argc, argv, envp);
    }
}

_Noreturn void __libc_main(const struct vm_boot *boot)
{
    __environ = (char **)boot->envp;
    char *name = boot->argc > 0 ? boot->argv[0] : "";
    char *slash = strrchr(name, '/');
    __progname_full = name;
    __progname = slash ? slash + 1 : name;
    for (void (*const *ctor)(void) = boot->ctors; ctor && *ctor; ctor++)
        ((constructor *)*ctor)(boot->argc, (char **)boot->argv, (char **)boot->envp);
    exit(call_entry(boot));
}
