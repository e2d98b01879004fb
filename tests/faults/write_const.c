// Writing to a string literal.  Result: memory error.
// -DOBJECT writes to a constant through a cast: memory error.
// Expect: write to a constant
// Expect: write_const.c:@literal
// Expect-OBJECT: write_const.c:@object
static const int fixed[2] = {1, 2};

int main(int argc, char **argv)
{
    (void)argv;
#ifdef OBJECT
    int *p = (int *)&fixed[argc];
    *p = 3; // @object
#else
    char *text = argc ? "abc" : "def";
    text[0] = 'x'; // @literal
#endif
    return fixed[0] - 1;
}
