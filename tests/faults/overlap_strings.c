// A string is moved within its array by strcpy, which must not be.  Result: memory error.
// -DCAT appends a string to itself: memory error.
// -DNCPY moves a part of it: memory error.
// -DNCAT appends a part of it to itself: memory error.
// -DAPART copies what stands beside it: correct.
// Expect: overlap
// Expect: overlap_strings.c:@here
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
    (void)argv;
    char text[16] = "abcdef";
#ifdef CAT
    strcat(text, text + 6 - argc * 2);
#elif defined NCPY
    strncpy(text + argc, text, 4);
#elif defined NCAT
    strncat(text, text + argc, 9);
#elif defined APART
    strcpy(text + 6 + argc, text);
    strncpy(text + 14, text, 2);
    strncpy(text, text + 3, 3);
    strncat(strcpy(text + 7, ""), text, 2);
    assert(!strcmp(text, "defdef") && !strcmp(text + 7, "de"));
#else
    strcpy(text, text + argc); // @here
#endif
    return 0;
}
