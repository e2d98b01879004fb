/* __randname.c - musl's takes the time and an address; ours counts on from the name that
 * was tried before, so that a run is always the same and nobody looks at addresses. */
#include <string.h>

char *__randname(char *template)
{
    if (!memcmp(template, "XXXXXX", 6))
        return memset(template, 'A', 6);
    for (int k = 5; k >= 0; k--) {
        if (template[k] != 'Z') {
            template[k]++;
            break;
        }
        template[k] = 'A';
    }
    return template;
}
