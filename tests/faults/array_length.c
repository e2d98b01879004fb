// An array of variable length with a negative number of elements.  Result: arithmetic.
// -DNONE has none: arithmetic.
// -DLONG has a long length: arithmetic.
// -DTYPE is the type of a parameter: arithmetic.
// -DLARGE has more than the machine's memory: incomplete.
// -DSOME has some: correct.
// Expect: array length not positive: an array of -1 elements \(elements at array_length.c:@array\)
// Expect-NONE: an array of 0 elements \(elements at array_length.c:@array\)
// Expect-LONG: an array of -3 elements \(main at array_length.c:@long\)
// Expect-TYPE: an array of -2 elements \(width at array_length.c:@type\)
#include <stddef.h>

static size_t elements(int n)
{
    char array[n]; // @array
    return sizeof array;
}

static size_t width(int n, char (*rows)[n]) // @type
{
    return sizeof *rows;
}

int main(void)
{
    volatile long n = 3;
#ifdef NONE
    return elements((int)n - 3) != 0;
#elif defined(LONG)
    int many[-n]; // @long
    return sizeof many == 0;
#elif defined(TYPE)
    return width(1 - (int)n, NULL) == 0;
#elif defined(LARGE)
    unsigned most = -1u / (unsigned)(n - 2);
    int many[most];
    return sizeof many == 0;
#elif defined(SOME)
    char rows[2][3];
    return elements((int)n) != 3 || width((int)n, rows) != 3;
#else
    return elements(2 - (int)n) != 0;
#endif
}
