// main's arguments and environment.  Result: correct.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    assert(argc >= 1 && argv[0] && strlen(argv[0]) > 0 && !argv[argc]);
    assert(!getenv("A_NAME_THAT_NOBODY_HAS_SET"));
    return 0;
}
