// A thread converts what it is given, an array of main's, when that has ended: the library's
// functions are told, since there are no others.  Result: memory error.
// Expect: read of buffer of main
// Expect: thread 2 failed\s+in strlen .*\s+called by std::
#include <string>
#include <thread>

static void take(const std::string &)
{
}

int main()
{
    std::thread thread;
    {
        char buffer[] = "a text that is longer than what a string has room for";
        thread = std::thread(take, buffer);
    }
    thread.join();
    return 0;
}
