/* room.c - see room.h. */
#include "room.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static FILE *open_in(const char *root, const char *path, const char *name)
{
    char file[PATH_MAX];
    int n = snprintf(file, sizeof file, "%s%s%s", root, path, name);
    return n > 0 && (size_t)n < sizeof file ? fopen(file, "re") : NULL;
}

/* Returns the number behind this word in a file of such lines; 0 if there is none. */
static uint64_t number_of(FILE *in, const char *word)
{
    char line[256];
    size_t n = strlen(word);
    while (in && fgets(line, sizeof line, in))
        if (!strncmp(line, word, n) && (line[n] == ' ' || line[n] == ':'))
            return strtoull(line + n + 1, NULL, 10);
    return 0;
}

/* ---- the machine ----------------------------------------------------------------- */

static uint64_t free_bytes(const char *root)
{
    FILE *in = open_in(root, "/proc", "/meminfo");
    uint64_t bytes = number_of(in, "MemAvailable") * 1024;
    if (in)
        fclose(in);
    return bytes ? bytes : ROOM_UNKNOWN;
}

/* ---- control groups -------------------------------------------------------------- */

/* Files of a version of control groups: for the limit, the use, and how much of the use is of
 * files and can be dropped. */
struct version {
    const char *folder, *limit, *used, *files[2];
};

static const struct version one = {"/sys/fs/cgroup/memory",
                                   "memory.limit_in_bytes",
                                   "memory.usage_in_bytes",
                                   {"total_inactive_file", "total_active_file"}};
static const struct version two = {
    "/sys/fs/cgroup", "memory.max", "memory.current", {"inactive_file", "active_file"}};

/* Reads a number of bytes; "max" is none: there is no limit. */
static bool read_bytes(const char *root, const char *folder, const char *name, uint64_t *bytes)
{
    FILE *in = open_in(root, folder, name);
    bool good = in && fscanf(in, "%" SCNu64, bytes) == 1;
    if (in)
        fclose(in);
    return good;
}

static uint64_t droppable(const char *root, const char *folder, const struct version *version)
{
    uint64_t bytes = 0;
    for (int i = 0; i < 2; i++) {
        FILE *in = open_in(root, folder, "memory.stat");
        bytes += number_of(in, version->files[i]);
        if (in)
            fclose(in);
    }
    return bytes;
}

static uint64_t group_left(const char *root, const char *folder, const struct version *version)
{
    uint64_t limit, used;
    if (!read_bytes(root, folder, version->limit, &limit) ||
        !read_bytes(root, folder, version->used, &used))
        return ROOM_UNKNOWN;
    return minus(limit, minus(used, droppable(root, folder, version)));
}

/* Returns what the group and all around it leave, up to the one that looks like the first one
 * from here: a container sees its own there. */
static uint64_t groups_left(const char *root, const char *group, const struct version *version)
{
    char folder[PATH_MAX];
    uint64_t left = ROOM_UNKNOWN;
    int n = snprintf(folder, sizeof folder, "%s%s/", version->folder, group);
    if (n < 0 || (size_t)n >= sizeof folder)
        return left;
    size_t first = strlen(version->folder);
    for (char *end; strlen(folder) > first; *end = '\0') {
        left = least(left, group_left(root, folder, version));
        folder[strlen(folder) - 1] = '\0';
        end = strrchr(folder, '/');
        end += end >= folder + first;
    }
    return left;
}

/* Returns what all groups leave: lines are "5:memory:/a/b" in version 1 and "0::/a/b" in
 * version 2. */
static uint64_t all_groups_left(const char *root)
{
    char line[PATH_MAX + 64];
    uint64_t left = ROOM_UNKNOWN;
    FILE *in = open_in(root, "/proc/self", "/cgroup");
    while (in && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        char *kinds = strchr(line, ':'), *group = kinds ? strchr(kinds + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        bool all = kinds[1] == '\0', memory = false;
        for (char *rest = kinds + 1, *kind; (kind = strsep(&rest, ","));)
            memory |= !strcmp(kind, "memory");
        if (all || memory)
            left = least(left,
                         groups_left(root, strcmp(group, "/") ? group : "", all ? &two : &one));
    }
    if (in)
        fclose(in);
    return left;
}

/* ---- the process ----------------------------------------------------------------- */

static uint64_t address_space_left(void)
{
    struct rlimit limit;
    unsigned long pages = 0;
    FILE *in = fopen("/proc/self/statm", "re");
    if (in && fscanf(in, "%lu", &pages) != 1)
        pages = 0;
    if (in)
        fclose(in);
    if (getrlimit(RLIMIT_AS, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
        return ROOM_UNKNOWN;
    return minus(limit.rlim_cur, (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE));
}

uint64_t room_left(const char *root)
{
    uint64_t left = least(free_bytes(root), all_groups_left(root));
    return least(left, address_space_left());
}
