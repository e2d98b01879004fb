// qsort and bsearch call back.  Result: correct.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char name[6];
    int value;
};

static int by_value(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

int main(void)
{
    struct entry e[] = {{"one", 1}, {"five", 5}, {"three", 3}, {"four", 4}, {"two", 2}};
    size_t n = sizeof e / sizeof *e;
    qsort(e, n, sizeof *e, by_value);
    for (size_t k = 0; k < n; k++)
        assert(e[k].value == (int)k + 1);
    qsort(e, n, sizeof *e, by_name);
    assert(!strcmp(e[0].name, "five") && !strcmp(e[4].name, "two"));
    struct entry *found = bsearch("one", e, n, sizeof *e, by_name);
    assert(found && found->value == 1 && !bsearch("six", e, n, sizeof *e, by_name));
    return 0;
}
