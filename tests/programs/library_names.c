// Static functions and variables called as those that the library uses inside: they are
// nothing to it.  Result: correct.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int writev(int x)
{
    return x + 1;
}

static int __stdio_write(int x)
{
    return x + 2;
}

static int memchr;
static int stdout_lock = 1;

int main(void)
{
    char text[20];
    assert(snprintf(text, sizeof text, "%d,%s", writev(atoi("3")), "abc") == 5);
    printf("%s\n", text);
    assert(__stdio_write(1) == 3);
    return memchr + stdout_lock - 1;
}
