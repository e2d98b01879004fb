// Local variables that are set on some ways only: a compiler takes what suits for the rest.
// Result: correct.
// -DSOME is not set on one way: undefined value.
// -DNEVER is not set at all: undefined value.
// -DFIELD is a field of a struct that is copied: undefined value.
// -DLOOP is set by a body that is not entered: undefined value.
// -DEND is the result of a function that ends without one: undefined value.
// -DARGUMENT is passed on: undefined value.
// Expect-SOME: read from x of main \(main at undefined_local.c:@some
// Expect-NEVER: read from x of main \(main at undefined_local.c:@never
// Expect-FIELD: read from s of main \(main at undefined_local.c:@field
// Expect-LOOP: read from x of main \(main at undefined_local.c:@loop
// Expect-END: undefined value used: .*main at undefined_local.c:@end
// Expect-ARGUMENT: read from x of main \(main at undefined_local.c:@argument
struct s {
    int a;
    char c;
    long b;
};

#ifdef END
static int big(int n)
{
    if (n > 3)
        return 5;
}
#endif

static int same(int x)
{
    return x;
}

int main(int argc, char **argv)
{
    int n = 0;
    (void)argv;
#if defined SOME
    int x;
    if (argc > 5)
        x = 1;
    if (x) // @some
        n = 1;
#elif defined NEVER
    int x;
    if (x) // @never
        n = 1;
#elif defined FIELD
    struct s s, t;
    if (argc > 5)
        s.a = 1;
    s.b = 2;
    t = s;
    if (t.a) // @field
        n = 1;
#elif defined LOOP
    int x;
    for (int i = 1; i < argc; i++)
        x = i & 1;
    if (x == 1) // @loop
        n = 1;
#elif defined END
    if (big(argc)) // @end
        n = 1;
#elif defined ARGUMENT
    int x;
    if (argc > 5)
        x = 1;
    n = same(x); // @argument
#else
    struct s s, t;
    int x, y, z;
    s.a = argc;
    s.b = 2;
    t = s;
    switch (argc) {
    case 1: x = 3; break;
    case 2: x = 4; break;
    default: x = 9;
    }
    do
        y = x;
    while (argc > 1);
    if (argc > 5)
        z = 1;
    if (argc > 5)
        n = z;
    n = t.a + (int)t.b + same(y) - 6 + n;
#endif
    return n != 0;
}
