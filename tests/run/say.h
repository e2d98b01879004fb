/* say.h - prints what a system call gives, and its error: the same on the host and under divm.
 */
#ifndef SAY_H
#define SAY_H

#include <errno.h>
#include <stdio.h>

#define SAY(call)                                     \
    do {                                              \
        errno = 0;                                    \
        long result = (call);                         \
        printf("%s: %ld %d\n", #call, result, errno); \
    } while (0)

#endif
