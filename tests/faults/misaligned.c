// An int at an odd address.  Result: memory error.
// -DCOPY copies it bytewise: correct.
// Expect: misaligned.c:@here
#include <string.h>

static char bytes[8] = {0, 1, 0, 0, 0};

int main(int argc, char **argv)
{
    (void)argv;
#ifdef COPY
    int value;
    memcpy(&value, bytes + argc, sizeof value);
    return value - 1;
#else
    int *p = (int *)(void *)(bytes + argc);
    return *p - 1; // @here
#endif
}
