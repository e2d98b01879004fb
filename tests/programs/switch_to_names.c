// Strings that a switch chooses, which the optimiser keeps in a table.  Result: correct.
// Options: -O2
#include <assert.h>
#include <string.h>

static const char *name(int colour)
{
    switch (colour) {
    case 0: return "red";
    case 1: return "green";
    case 2: return "blue";
    default: return "?";
    }
}

int main(void)
{
    volatile int i = 1, j = 7;
    assert(!strcmp(name(i), "green") && !strcmp(name(j), "?"));
}
