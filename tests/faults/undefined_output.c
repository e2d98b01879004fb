// Undefined bytes are printed: what leaves the program must be defined.
// Result: undefined value.
// -DSET prints defined ones: correct.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(4);
    if (!text)
        return 0;
#ifdef SET
    strcpy(text, "abc");
#endif
    fwrite(text, 1, 3, stdout);
    fflush(stdout);
    free(text);
    return 0;
}
