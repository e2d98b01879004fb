// A function is called with fewer arguments than it has parameters, through a
// pointer of another type.  Result: bad call.
// -DDATA calls a variable: bad call or memory error.
// -DNULL_CALL calls a null pointer: bad call or memory error.
// -DTYPE passes a double for an int: bad call.
// -DRIGHT through a pointer of the right type: correct.
// Expect: bad_call.c:@arity
// Expect-DATA: bad_call.c:@data
// Expect-NULL_CALL: bad_call.c:@null
// Expect-TYPE: bad_call.c:@type
#include <stdint.h>

static int data;

static int sum(int a, int b)
{
    return a + b;
}

int main(int argc, char **argv)
{
    (void)argv;
    uintptr_t where = (uintptr_t)&sum;
#if defined DATA
    where = (uintptr_t)&data;
    return ((int (*)(int, int))where)(1, argc); // @data
#elif defined NULL_CALL
    where = argc > 3 ? where : 0;
    return ((int (*)(int, int))where)(1, argc); // @null
#elif defined TYPE
    return ((int (*)(int, double))where)(1, argc); // @type
#elif defined RIGHT
    return ((int (*)(int, int))where)(-1, argc) + data;
#else
    return ((int (*)(int))where)(argc); // @arity
#endif
}
