// An array index that was never set.  Result: undefined value.
// -DPOINTER a pointer that was never set: undefined value.
// -DCALL a function pointer that was never set: undefined value.
// -DCOPIED copying undefined bytes is no error, using the copy is: undefined value.
// Expect: undefined_address.c:@index
// Expect-POINTER: undefined_address.c:@pointer
// Expect-CALL: undefined_address.c:@call
// Expect-COPIED: undefined_address.c:@copied
#include <string.h>

static int array[4];

static void fill(void *p, size_t n, int really)
{
    if (really)
        memset(p, 0, n);
}

int main(int argc, char **argv)
{
    (void)argv;
#if defined POINTER
    int *p;
    fill(&p, sizeof p, argc > 1);
    return *p; // @pointer
#elif defined CALL
    int (*f)(void);
    fill(&f, sizeof f, argc > 1);
    return f(); // @call
#elif defined COPIED
    int k, copy, again;
    fill(&k, sizeof k, argc > 1);
    memcpy(&copy, &k, sizeof copy);
    again = copy;
    return array[again & 1]; // @copied
#else
    int k;
    fill(&k, sizeof k, argc > 1);
    return array[k]; // @index
#endif
}
