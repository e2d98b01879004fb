// Writing past the end of a local array.  Result: memory error.
// -DVLA past one of variable length: memory error.
// -DSTRING copies a string that does not fit: memory error.
// -DCONSTANT at a constant index, where registers could hide it: memory error.
// -DREAD reads there, through a pointer that is in a struct: memory error.
// -DSELF copies an array to itself, and more: memory error.
// -DPART does so behind its beginning: memory error.
// -DWIDE does so with wide characters: memory error.
// Expect: access out of bounds
// Expect: bounds_stack.c:@array
// Expect-VLA: bounds_stack.c:@vla
// Expect-STRING: bounds_stack.c:@string
// Expect-CONSTANT: bounds_stack.c:@constant
// Expect-READ: bounds_stack.c:@read
// Expect-SELF: bounds_stack.c:@self
// Expect-PART: bounds_stack.c:@part
// Expect-WIDE: bounds_stack.c:@wide
#include <string.h>
#include <wchar.h>

int main(int argc, char **argv)
{
    (void)argv;
#if defined VLA
    int array[argc + 1];
    array[argc + 1] = 0; // @vla
    return array[argc + 1];
#elif defined CONSTANT
    int array[4];
    array[4] = 1; // @constant
    array[0] = 0;
    return array[0];
#elif defined READ
    int array[4] = {0};
    struct {
        int *p;
    } view = {array};
    return view.p[-1]; // @read
#elif defined SELF
    char array[4] = {0};
    memmove(array, array, (size_t)argc + 4); // @self
    return array[3];
#elif defined PART
    char array[4] = {0};
    memcpy(array + 1, array + 1, (size_t)argc + 3); // @part
    return array[3];
#elif defined WIDE
    wchar_t array[4] = {0};
    wmemmove(array, array, (size_t)argc + 4); // @wide
    return array[3] != 0;
#elif defined STRING
    char text[4];
    strcpy(text, argc ? "four" : "six"); // @string
    return text[0] == 0;
#else
    int array[4] = {0};
    array[argc + 3] = 1; // @array
    return array[0];
#endif
}
