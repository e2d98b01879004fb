/* strstr - one place after the other.  musl's is quicker with long words, but computes with
 * pointers as with numbers where compilers optimise it. */
#include <string.h>

char *strstr(const char *text, const char *word)
{
    size_t n = strlen(word);
    if (!n)
        return (char *)text;
    while ((text = strchr(text, *word)) && strncmp(text, word, n) != 0)
        text++;
    return (char *)text;
}
