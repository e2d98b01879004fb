// main's arguments and environment.  Result: correct.
// -DGIVEN main is given the environment, and may write to it: correct.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifdef GIVEN
int main(int argc, char **argv, char **environment)
{
    char path[] = "PATH=/";
    assert(environment[0][0] == 'P' && strlen(getenv("PATH")) > 1);
    environment[0][0] = 'B';
    assert(!getenv("PATH"));
    environment[0] = path;
    assert(strlen(getenv("PATH")) == 1);
#else
int main(int argc, char **argv)
{
#endif
    assert(argc >= 1 && argv[0] && strlen(argv[0]) > 0 && !argv[argc]);
    assert(!getenv("A_NAME_THAT_NOBODY_HAS_SET"));
    return 0;
}
