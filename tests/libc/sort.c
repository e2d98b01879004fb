// Result: correct.
// qsort and bsearch.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int key;
    char name[12];
};

static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name);
}

int main(void)
{
    int v[50];
    unsigned x = 12345;
    for (int i = 0; i < 50; i++) {
        x = x * 1103515245u + 12345u;
        v[i] = (int)(x >> 16) % 1000;
    }
    qsort(v, 50, sizeof *v, by_int);
    for (int i = 0; i < 50; i++)
        printf("%d ", v[i]);
    int key = v[20], none = 1001;
    int *found = bsearch(&key, v, 50, sizeof *v, by_int);
    printf("\n%d %d\n", *found == key, bsearch(&none, v, 50, sizeof *v, by_int) == NULL);

    struct item items[] = {
        {3, "cherry"}, {1, "apple"}, {2, "banana"}, {5, "elder"}, {4, "damson"}};
    qsort(items, 5, sizeof *items, by_name);
    for (int i = 0; i < 5; i++)
        printf("%d %s\n", items[i].key, items[i].name);
    qsort(items, 0, sizeof *items, by_name);
    qsort(items, 1, sizeof *items, by_name);
    return 0;
}
