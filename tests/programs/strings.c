// String handling by the library.  Result: correct.
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char buffer[32], *end;
    strcpy(buffer, "alpha");
    strcat(buffer, ",beta,");
    strncat(buffer, "gammaXX", 5);
    assert(!strcmp(buffer, "alpha,beta,gamma") && strlen(buffer) == 16);
    assert(strchr(buffer, ',') == buffer + 5 && strrchr(buffer, ',') == buffer + 10);
    assert(!strncmp(strstr(buffer, "bet"), "beta", 4) && !strstr(buffer, "delta"));
    int words = 0;
    for (char *word = strtok(buffer, ","); word; word = strtok(NULL, ","))
        words += (int)strlen(word);
    assert(words == 14);
    assert(strtol("-0x1f rest", &end, 16) == -31 && !strcmp(end, " rest"));
    assert(atoi("  42") == 42 && strtod("2.5e2", NULL) == 250);
    assert(snprintf(buffer, sizeof buffer, "%03d|%-4s|%5.2f|%x|%c", 7, "ab", 3.14159, 255,
                    'z') == 19);
    assert(!strcmp(buffer, "007|ab  | 3.14|ff|z"));
    int a;
    char w[8];
    assert(sscanf("12 dogs", "%d %7s", &a, w) == 2 && a == 12 && !strcmp(w, "dogs"));
    char *copy = strdup("copy");
    assert(copy && !memcmp(copy, "copy", 5) && toupper(*copy) == 'C' && isdigit('7'));
    memset(copy, '-', 4);
    assert(!strcmp(copy, "----") && strspn("aab", "a") == 2);
    free(copy);
    return 0;
}
