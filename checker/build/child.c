/* child.c - commands that divm runs, and children of its own: they keep the limits of the
 * command, and end when it is asked to. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "checker/build/child.h"
#include "checker/build/limits.h"
#include "checker/memory.h"
#include "checker/search/apart.h"
#include "checker/search/check.h"
#include "checker/search/interrupt.h"
#include "checker/search/usage.h"

extern char **environ;

enum { POLL_MS = 20, GRACE_MS = 500 };

/* Returns the memory of a child, without what it has of files, as its code: that is not its
 * own. */
static size_t bytes_of(pid_t child)
{
    char name[64];
    unsigned long all, resident = 0, shared = 0;
    snprintf(name, sizeof name, "/proc/%d/statm", (int)child);
    FILE *in = fopen(name, "re");
    if (in && fscanf(in, "%lu %lu %lu", &all, &resident, &shared) != 3)
        resident = shared = 0;
    if (in)
        fclose(in);
    return (resident - shared) * (size_t)sysconf(_SC_PAGESIZE);
}

/* Returns the reason to end a child; DONE: there is none. */
static enum apart_end reason_to_end(pid_t child, const struct check_options *limits)
{
    if (check_is_interrupted())
        return APART_INTERRUPTED;
    if (limits->deadline > 0 && watch_now() >= limits->deadline)
        return APART_TIME;
    if (limits->max_bytes && watch_resident_bytes() + bytes_of(child) >= limits->max_bytes)
        return APART_MEMORY;
    return APART_DONE;
}

/* Waits until the child has ended, for so long at most. */
static void wait_ms(int fd, int ms)
{
    struct pollfd end = {.fd = fd, .events = POLLIN};
    struct timespec little = {.tv_nsec = 1000000};
    if (fd >= 0)
        poll(&end, 1, ms);
    else
        nanosleep(&little, NULL);
}

/* Ends a child, which may clean up behind itself. */
static void end_child(pid_t child, int fd)
{
    int status;
    double late = watch_now() + GRACE_MS / 1e3;
    kill(child, SIGTERM);
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (watch_now() >= late)
            kill(child, SIGKILL);
        wait_ms(fd, POLL_MS);
    }
}

enum apart_end child_wait(pid_t child, const struct check_options *limits, int *status)
{
    int fd = pidfd_open(child, 0);
    enum apart_end end = APART_DONE;
    pid_t ended;
    while ((ended = waitpid(child, status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        end = reason_to_end(child, limits);
        if (end != APART_DONE) {
            end_child(child, fd);
            break;
        }
        wait_ms(fd, POLL_MS);
    }
    if (fd >= 0)
        close(fd);
    return end;
}

static int run(struct strings *args, bool verbose, const posix_spawn_file_actions_t *actions)
{
    pid_t child;
    int status = 0;
    for (size_t i = 0; verbose && i < args->n; i++)
        fprintf(stderr, "%s%s", args->at[i], i + 1 < args->n ? " " : "\n");
    char **argv = check_zeros(args->n + 1, sizeof *argv);
    memcpy(argv, args->at, args->n * sizeof *argv);
    int error = posix_spawnp(&child, argv[0], actions, NULL, argv, environ);
    free(argv);
    if (error) {
        fprintf(stderr, "divm: cannot run %s: %s (DIVM_CLANG names another)\n", args->at[0],
                strerror(error));
        return -1;
    }
    enum apart_end end = child_wait(child, &build_limits.options, &status);
    if (end != APART_DONE)
        build_limits.end = end;
    return end == APART_DONE && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int compile_run(struct strings *args, bool verbose)
{
    return run(args, verbose, NULL);
}

/* Runs a command with standard error to a file. */
static int run_into(struct strings *args, const char *file)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions))
        return -1;
    int status = -1;
    if (!posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, file,
                                          O_WRONLY | O_CREAT | O_TRUNC, 0600))
        status = run(args, false, &actions);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

int compile_run_silently(struct strings *args)
{
    return run_into(args, "/dev/null");
}

int compile_run_telling(struct strings *args, const char *file, bool *told)
{
    char part[4096];
    size_t n;
    int status = run_into(args, file);
    FILE *in = fopen(file, "re");
    *told = !in;
    while (in && (n = fread(part, 1, sizeof part, in)) > 0) {
        fwrite(part, 1, n, stderr);
        *told = true;
    }
    if (in)
        fclose(in);
    return status;
}

struct timespec child_date(const char *command)
{
    struct stat st = {0};
    const char *path = getenv("PATH");
    bool found = strchr(command, '/') && stat(command, &st) == 0;
    for (const char *at = path ? path : ""; !found && *at; at += at[strcspn(at, ":")] == ':') {
        char *file = NULL;
        size_t n = strcspn(at, ":");
        if (asprintf(&file, "%.*s/%s", (int)n, at, command) > 0)
            found = stat(file, &st) == 0;
        free(file);
        at += n;
    }
    return st.st_mtim;
}
