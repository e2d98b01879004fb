// An exception is no look at addresses, which would make fork impossible.  Result: correct.
#include <cassert>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

int main()
{
    try {
        throw std::runtime_error("caught");
    } catch (const std::exception &) {
    }
    if (fork() == 0)
        _exit(0);
    int status = 1;
    assert(wait(&status) > 0 && status == 0);
}
