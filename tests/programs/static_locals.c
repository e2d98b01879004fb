// Static locals keep their values; initial values of globals of all kinds.
// Result: correct.
#include <assert.h>
#include <stddef.h>
#include <string.h>

static int count(void)
{
    static int calls = 10;
    return ++calls;
}

struct node {
    const char *name;
    struct node *next;
    int (*f)(void);
};

static struct node last = {"last", NULL, count};
static struct node first = {.next = &last, .name = "first"};
static int table[100] = {[7] = 1, [99] = 2};
static int *inside = &table[7];
static char text[] = "text";
static const char *const names[] = {"a", "bc", "def"};
static double zeros[10];

int main(void)
{
    assert(count() == 11 && count() == 12);
    assert(!strcmp(first.next->name, "last") && first.next->f() == 13 && !first.f);
    assert(*inside == 1 && inside[92] == 2 && table[0] == 0);
    text[0] = 'n';
    assert(!strcmp(text, "next") && sizeof text == 5);
    assert(strlen(names[2]) == 3 && zeros[9] == 0);
    return 0;
}
