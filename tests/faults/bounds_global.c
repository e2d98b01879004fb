// Reading past the end of a global array; the next variable is another object.
// Result: memory error.
// -DCONSTANT reads past the end of a string literal: memory error.
// -DSTATIC writes past a static local: memory error.
// Expect: access out of bounds
// Expect: bounds_global.c:@global
// Expect-CONSTANT: bounds_global.c:@constant
// Expect-STATIC: bounds_global.c:@static
int array[3] = {1, 2, 3}, next = 4;

int main(int argc, char **argv)
{
    (void)argv;
    int k = argc + 2;
#if defined CONSTANT
    const char *text = "ab";
    return text[k]; // @constant
#elif defined STATIC
    static int local[3];
    local[k] = 1; // @static
    return local[0];
#else
    return array[k] == next; // @global
#endif
}
