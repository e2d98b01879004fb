/* pch.c - a precompiled header of the common standard headers, made on first use
 * for each set of compiler options and kept in DIVM_CACHE_DIR, or else in the
 * user's cache folder.  Where that cannot be written to, there is none.
 *
 * A program that forgets one of these headers compiles all the same. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "cli.h"

static const char *const headers[] = {
    "algorithm",     "array",     "atomic",
    "barrier",       "chrono",    "condition_variable",
    "deque",         "exception", "functional",
    "future",        "iostream",  "latch",
    "list",          "map",       "memory",
    "mutex",         "optional",  "queue",
    "semaphore",     "set",       "shared_mutex",
    "sstream",       "stdexcept", "stop_token",
    "string",        "thread",    "tuple",
    "unordered_map", "utility",   "variant",
    "vector",
};

/* The folder, made if need be; NULL if there is none. */
static char *cache_folder(void)
{
    const char *ours = getenv("DIVM_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    char *folder = NULL;
    int n = -1;
    if (ours && *ours)
        n = asprintf(&folder, "%s", ours);
    else if (xdg && *xdg)
        n = asprintf(&folder, "%s/divm", xdg);
    else if (home && *home)
        n = asprintf(&folder, "%s/.cache/divm", home);
    if (n < 0)
        return NULL;
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0777);
        *slash = '/';
    }
    mkdir(folder, 0777);
    if (access(folder, W_OK) == 0)
        return folder;
    free(folder);
    return NULL;
}

/* The options and the headers it is made from. */
static uint64_t key_of(const struct strings *args, const char *runtime)
{
    XXH3_state_t *state = XXH3_createState();
    static const char *const stamps[] = {"c++/.stamp", ".stamp"}; /* dated when installed */
    XXH3_64bits_reset(state);
    for (size_t i = 0; i < args->n; i++)
        XXH3_64bits_update(state, args->at[i], strlen(args->at[i]) + 1);
    for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++) {
        struct stat st = {0};
        char *file = NULL;
        if (asprintf(&file, "%s/include/%s", runtime, stamps[i]) > 0)
            stat(file, &st);
        free(file);
        XXH3_64bits_update(state, &st.st_mtim, sizeof st.st_mtim);
    }
    uint64_t key = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return key;
}

static bool write_source(const char *file)
{
    FILE *out = fopen(file, "w");
    if (!out)
        return false;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        fprintf(out, "#if __has_include(<%s>)\n#include <%s>\n#endif\n", headers[i],
                headers[i]);
    return fclose(out) == 0;
}

/* Both files are made beside their places and moved there, so that others see all of
 * them or nothing.
 * clang wants to see the source again whenever it is used. */
static bool make(const struct strings *options, const char *file, bool verbose)
{
    struct strings args = {0};
    char *source = NULL, *part = NULL;
    bool made = false;
    if (asprintf(&source, "%s.h", file) < 0 ||
        asprintf(&part, "%s.%d", file, (int)getpid()) < 0)
        return false;
    for (size_t i = 0; i < options->n; i++)
        strings_add(&args, options->at[i]);
    static const char *const more[] = {"-x", "c++-header", "-w", "-Xclang",
                                       "-fno-pch-timestamp"};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        strings_add(&args, more[i]);
    strings_add(&args, "-o");
    strings_add(&args, part);
    strings_add(&args, source);
    bool written =
        access(source, R_OK) == 0 || (write_source(part) && rename(part, source) == 0);
    if (written && compile_run(&args, verbose) == 0)
        made = rename(part, file) == 0;
    unlink(part);
    strings_fini(&args);
    free(source);
    free(part);
    return made;
}

char *pch_find(const struct strings *args, const char *runtime, bool verbose)
{
    char *folder = cache_folder(), *file = NULL;
    if (!folder || asprintf(&file, "%s/%016llx.pch", folder,
                            (unsigned long long)key_of(args, runtime)) < 0)
        file = NULL;
    free(folder);
    if (file && access(file, R_OK) != 0 && !make(args, file, verbose)) {
        free(file);
        file = NULL;
    }
    return file;
}
