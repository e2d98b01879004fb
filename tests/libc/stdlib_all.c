// Functions of <stdlib.h>, <inttypes.h> and <search.h> beyond those that every program uses.
#define _GNU_SOURCE
#include <inttypes.h>
#include <locale.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void numbers(void)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", NULL);
    char text[32];
    long long (*absolute)(long long) = llabs;
    intmax_t (*greatest)(intmax_t) = imaxabs;
    int place, sign;
    printf("%ld %ld", ldiv(7, 2).quot, ldiv(-7, 2).rem);
    printf(" %lld %jd", lldiv(9, 4).quot, imaxdiv(9, 4).rem);
    printf(" %lld %jd", absolute(-5), greatest(-6));
    printf(" %g %g", strtod_l("1.5", NULL, locale), (double)strtof_l("2.5", NULL, locale));
    printf(" %g", (double)strtold("3.5", NULL));
    printf(" %g", (double)strtold_l("3.25", NULL, locale));
    printf(" %lld", strtoll("-77", NULL, 8));
    printf(" %ld %s\n", a64l("abc"), l64a(12345));
    printf("%s %d", ecvt(3.14159, 4, &place, &sign), place);
    printf(" %s %d", fcvt(3.14159, 2, &place, &sign), place);
    printf(" %s\n", gcvt(2.5, 5, text));
    freelocale(locale);
}

static void random_numbers(void)
{
    unsigned short seed[3] = {1, 2, 3}, again[7] = {4, 5, 6, 0xe66d, 0xdeec, 5, 11};
    srand48(7);
    printf("%.6f %ld %ld", drand48(), lrand48(), mrand48());
    printf(" %.6f %ld %ld", erand48(seed), nrand48(seed), jrand48(seed));
    seed48(seed);
    printf(" %ld", lrand48());
    lcong48(again);
    printf(" %ld\n", lrand48());
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int by_number_with(const void *a, const void *b, void *way)
{
    return *(const int *)way * by_number(a, b);
}

static int found;

static void count(const void *node, VISIT visit, int depth)
{
    (void)node, (void)depth;
    found += visit == preorder || visit == leaf;
}

static void nothing(void *key)
{
    (void)key;
}

static void tables(void)
{
    int list[8] = {3, 1, 2}, way = -1, key = 1;
    size_t length = 3;
    void *tree = NULL;
    ENTRY entry = {"one", "eins"}, *got;
    struct hsearch_data table = {0};
    qsort_r(list, 3, sizeof *list, by_number_with, &way);
    printf("%d%d%d", list[0], list[1], list[2]);
    printf(" %d", lfind(&key, list, &length, sizeof *list, by_number) == &list[2]);
    key = 9;
    lsearch(&key, list, &length, sizeof *list, by_number);
    printf(" %d", (int)length);
    for (int k = 0; k < 4; k++)
        tsearch(&list[k], &tree, by_number);
    twalk(tree, count);
    printf(" %d %d", found, tfind(&key, &tree, by_number) != NULL);
    tdelete(&key, &tree, by_number);
    printf(" %d", tfind(&key, &tree, by_number) != NULL);
    tdestroy(tree, nothing);
    hcreate(10);
    hsearch(entry, ENTER);
    printf(" %s", (char *)hsearch((ENTRY){"one", NULL}, FIND)->data);
    hdestroy();
    hcreate_r(10, &table);
    hsearch_r(entry, ENTER, &got, &table);
    printf(" %s\n", got->key);
    hdestroy_r(&table);
}

static void lists(void)
{
    struct element {
        struct element *next, *before;
        int value;
    } a = {NULL, NULL, 1}, b = {NULL, NULL, 2};
    insque(&a, NULL);
    insque(&b, &a);
    printf("%d", a.next->value);
    remque(&b);
    printf(" %d\n", a.next == NULL);
}

static void options(void)
{
    char text[] = "ro,size=10,none", *left = text, *value;
    char *const names[] = {"ro", "size", NULL};
    while (*left) {
        int which = getsubopt(&left, names, &value);
        printf("%d:%s ", which, which == 1 ? value : "");
    }
    putenv("FIRST=1");
    printf("%s %s", getenv("FIRST"), secure_getenv("FIRST"));
    clearenv();
    printf(" %d\n", getenv("FIRST") == NULL);
}

static void bye(void)
{
    printf("bye\n");
    fflush(stdout);
}

int main(void)
{
    numbers();
    random_numbers();
    tables();
    lists();
    options();
    int *memory = reallocarray(NULL, 4, sizeof *memory);
    printf("%d\n", memory != NULL);
    free(memory);
    at_quick_exit(bye);
    quick_exit(0);
}
