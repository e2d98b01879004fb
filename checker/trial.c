/* trial.c - loading what others have made: LLVM may crash or never end on malformed bitcode, so
 * a child process goes first. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "guard.h"

enum { LOAD_SECONDS = 60 };

_Noreturn static void load_silently(const struct vm_load *load)
{
    struct vm_load again = *load;
    struct vm_kept reading = load->kept ? *load->kept : (struct vm_kept){0};
    char *error = NULL;
    int sink = open("/dev/null", O_WRONLY);
    if (sink >= 0)
        dup2(sink, STDERR_FILENO);
    signal(SIGTERM, SIG_DFL);
    reading.put = NULL; /* a crash may have been near */
    again.kept = load->kept ? &reading : NULL;
    vm_load(&again, &error); /* what came to its end is kept for the parent */
    _exit(0); /* what it says is said again, as is what an assertion of ours says */
}

bool trial_survives(const struct vm_load *load, char **error)
{
    struct check_options limits = cli_limits.options;
    double latest = watch_now() + LOAD_SECONDS;
    bool own = !limits.deadline || limits.deadline > latest;
    if (own)
        limits.deadline = latest;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        load_silently(load);
    if (child < 0)
        return true;
    int status = 0;
    enum apart_end end = child_wait(child, &limits, &status);
    const char *what = NULL;
    if (end == APART_TIME && own)
        what = "takes too long to load";
    else if (end != APART_DONE)
        cli_limits.end = end;
    else if (WIFSIGNALED(status))
        what = "cannot be loaded: malformed";
    if (what && asprintf(error, "%s: %s", load->files[0], what) < 0)
        *error = NULL;
    return end == APART_DONE && !what;
}
