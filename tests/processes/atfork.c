// Handlers for fork: the last prepares first, in parent and child the first comes first.
//
// Result: correct.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char said[16];

static void say(const char *what)
{
    strcat(said, what);
}
static void prepare_a(void)
{
    say("a");
}
static void prepare_b(void)
{
    say("b");
}
static void parent_a(void)
{
    say("p");
}
static void child_a(void)
{
    say("c");
}
static void child_b(void)
{
    say("d");
}

int main(void)
{
    int status;
    assert(pthread_atfork(prepare_a, parent_a, child_a) == 0);
    assert(pthread_atfork(prepare_b, NULL, child_b) == 0);
    if (fork() == 0) {
        assert(!strcmp(said, "bacd"));
        _exit(0);
    }
    assert(!strcmp(said, "bap"));
    assert(wait(&status) > 0 && status == 0);
    return 0;
}
