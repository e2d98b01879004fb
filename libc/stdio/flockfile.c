/* flockfile.c - musl's locks a stream; ours has no lock, since every call on it
 * is one step of the machine, and what is printed is no part of a state. */
#include "stdio_impl.h"

int __lockfile(FILE *f)
{
    (void)f;
    return 0;
}

void __unlockfile(FILE *f)
{
    (void)f;
}

void flockfile(FILE *f)
{
    (void)f;
}

int ftrylockfile(FILE *f)
{
    (void)f;
    return 0;
}

void funlockfile(FILE *f)
{
    (void)f;
}
