// A branch on a variable that was never set.  Result: undefined value.
// -DHEAP on fresh memory: undefined value.
// -DSWITCH on a switch: undefined value.
// -DPART on a byte of which one bit is not known: undefined value.
// -DKNOWN on the bit that is: correct.
// Expect: undefined value
// Expect: undefined_branch.c:@local
// Expect-HEAP: undefined_branch.c:@heap
// Expect-SWITCH: undefined_branch.c:@switch
// Expect-PART: undefined_branch.c:@part
#include <stdlib.h>

struct bits {
    unsigned known : 1, unknown : 1;
};

static void fill(int *p, int really)
{
    if (really)
        *p = 1;
}

int main(int argc, char **argv)
{
    (void)argv;
    int value;
    fill(&value, argc > 1);
#if defined HEAP
    char *p = malloc(4);
    if (!p)
        return 0;
    p[0] = 1;
    int found = p[0];
    if (p[argc]) // @heap
        found = 2;
    free(p);
    return found - 1;
#elif defined SWITCH
    switch (value) { // @switch
    case 1: return 1;
    case 7: return 2;
    default: return 0;
    }
#elif defined PART
    struct bits b;
    b.known = 1;
    if (b.unknown) // @part
        return 1;
    return 0;
#elif defined KNOWN
    struct bits b;
    b.known = 1;
    if (b.known)
        return 0;
    return 1;
#else
    if (value > 3) // @local
        return 1;
    return 0;
#endif
}
