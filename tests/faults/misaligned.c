// An int at an odd address.  Result: memory error.
// -DCOPY copies it bytewise: correct.
// -DLOCAL is in a local variable, where registers could hide it: memory error.
// Expect: misaligned.c:@here
// Expect-LOCAL: misaligned.c:@local
#include <string.h>

static char bytes[8] = {0, 1, 0, 0, 0};

int main(int argc, char **argv)
{
    (void)argv;
#ifdef COPY
    int value;
    memcpy(&value, bytes + argc, sizeof value);
    return value - 1;
#elif defined LOCAL
    int x = argc;
    char *p = (char *)&x;
    return *(short *)(void *)(p + 1); // @local
#else
    int *p = (int *)(void *)(bytes + argc);
    return *p - 1; // @here
#endif
}
