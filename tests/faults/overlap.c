// memcpy within an array, source and destination overlap.  Result: memory error.
// -DMOVE uses memmove: correct.
// Expect: overlap
// Expect: overlap.c:@here
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
    (void)argv;
    char text[8] = "abcdef";
#ifdef MOVE
    memmove(text + argc, text, 6);
    assert(!strcmp(text, "aabcdef"));
#else
    memcpy(text + argc, text, 6); // @here
#endif
    return text[7];
}
