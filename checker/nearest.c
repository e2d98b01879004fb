/* nearest.c - see nearest.h. */
#include <string.h>

#include "checker/nearest.h"

/* Returns how many letters to insert, remove or change (Levenshtein). */
static size_t distance(const char *a, const char *b)
{
    enum { MAX = 40 };
    size_t row[MAX + 1], n = strlen(b);
    if (n > MAX || strlen(a) > MAX)
        return MAX;
    for (size_t k = 0; k <= n; k++)
        row[k] = k;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t k = 0; k < n; k++) {
            size_t best = diagonal + (a[i] != b[k]);
            diagonal = row[k + 1];
            if (row[k] + 1 < best)
                best = row[k] + 1;
            if (row[k + 1] + 1 < best)
                best = row[k + 1] + 1;
            row[k + 1] = best;
        }
    }
    return row[n];
}

const char *check_nearest(const char *word, const char *const *names, size_t n)
{
    const char *nearest = NULL;
    size_t least = strlen(word) / 3 + 2;
    for (size_t i = 0; i < n; i++) {
        size_t d = distance(word, names[i]);
        if (d < least) {
            least = d;
            nearest = names[i];
        }
    }
    return nearest;
}
