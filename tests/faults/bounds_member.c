// An index that is out of its array, but not of the object that the array is in.
// Result: memory error.
// -DROW leaves a row for the next: memory error.
// -DCONSTANT is a constant: memory error.
// -DBELOW is negative: memory error.
// -DUNDEFINED is no number at all: undefined value.
// -DEND is the address of the end: correct.
// -DTRAILING is in an array at the end of its structure, which may go on: correct.
// Expect: index 4 of an array of 4 elements \(name_of at bounds_member.c:@member\)
// Expect-ROW: index 3 of an array of 3 elements \(main at bounds_member.c:@row\)
// Expect-CONSTANT: a constant index out of its array \(main at bounds_member.c:@constant\)
// Expect-BELOW: index -1 of an array of 4 elements \(name_of at bounds_member.c:@member\)
#include <stdlib.h>

struct entry {
    int before;
    char name[4];
    char more[4];
};

struct trailing {
    int n;
    int values[1];
};

static char name_of(const struct entry *e, int at)
{
    return e->name[at]; // @member
}

int main(void)
{
    struct entry e = {1, "abc", "def"};
    int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    volatile int at = 3;
#ifdef ROW
    return rows[0][at] != 4; // @row
#elif defined(CONSTANT)
    return e.name[5] != 'e'; // @constant
#elif defined(BELOW)
    return name_of(&e, at - 4) == 'x';
#elif defined(UNDEFINED)
    int unset[2];
    unset[0] = at;
    return name_of(&e, unset[1]) == 'x';
#elif defined(END)
    return &e.name[at + 1] != e.more || rows[1][at - 1] != 6;
#elif defined(TRAILING)
    struct trailing *t = malloc(sizeof *t + (size_t)at * sizeof *t->values);
    if (!t)
        return 0;
    t->values[at] = 1;
    free(t);
    return 0;
#else
    return name_of(&e, at + 1) != 'd';
#endif
}
