/* trial.c - tries to load what others have made in a child process: LLVM may crash or never end
 * on malformed bitcode. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checker/build/child.h"
#include "checker/build/limits.h"
#include "checker/build/trial.h"
#include "checker/search/apart.h"
#include "checker/search/check.h"
#include "checker/search/usage.h"
#include "vm/vm.h"

enum { LOAD_SECONDS = 60 };

/* What was linked of the archives, kept until the program has been loaded: a crash may be
 * near. */
struct later {
    const struct vm_kept *kept;
    uint64_t key[2];
    char *data;
    size_t size;
};

static char *get_now(void *context, const uint64_t key[2], size_t *size)
{
    const struct later *later = context;
    return later->kept->get(later->kept->context, key, size);
}

static void put_later(void *context, const uint64_t key[2], const char *data, size_t size)
{
    struct later *later = context;
    char *copy = malloc(size);
    if (!copy)
        return;
    free(later->data);
    later->data = memcpy(copy, data, size);
    later->size = size;
    memcpy(later->key, key, sizeof later->key);
}

_Noreturn static void load_silently(const struct vm_load *load)
{
    struct vm_load again = *load;
    struct later later = {.kept = load->kept};
    struct vm_kept linked = {&later, get_now, put_later};
    char *error = NULL;
    int sink = open("/dev/null", O_WRONLY);
    if (sink >= 0)
        dup2(sink, STDERR_FILENO);
    signal(SIGTERM, SIG_DFL);
    again.kept = load->kept ? &linked : NULL;
    bool loaded = vm_load(&again, &error); /* a result that is complete is kept for the
                                            * parent */
    if (loaded && later.data && load->kept->put)
        load->kept->put(load->kept->context, later.key, later.data, later.size);
    _exit(0); /* messages come again, from the parent, as do those of failed assertions of
               * ours */
}

static char *error_text(const struct vm_load *load, const char *what)
{
    char *text;
    return asprintf(&text, "%s: %s", load->files[0], what) < 0 ? NULL : text;
}

char *trial_error(const struct vm_load *load)
{
    return error_text(load, "cannot be loaded: malformed");
}

bool trial_survives(const struct vm_load *load, char **error)
{
    struct check_options limits = build_limits.options;
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
    bool crashed = end == APART_DONE && !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    if (end == APART_TIME && own)
        *error = error_text(load, "takes too long to load");
    else if (end != APART_DONE)
        build_limits.end = end;
    else if (crashed)
        *error = trial_error(load);
    return end == APART_DONE && !crashed;
}
