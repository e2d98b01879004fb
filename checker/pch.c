/* pch.c - a precompiled header of the common standard headers, made on first use
 * for each set of compiler options and kept in the cache.  Where that cannot be
 * written to, there is none.
 *
 * A program that forgets one of these headers compiles all the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "cli.h"

enum { MAX_HEADERS = 512 << 20 }; /* bytes; one is of some 16 MB */

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
    bool written = !ferror(out);
    return fclose(out) == 0 && written;
}

/* The file that includes all headers, made if need be, malloc'ed; NULL if there is none.
 * clang wants to see it again whenever the precompiled header is used. */
static char *find_source(const char *folder)
{
    char *file = NULL, *part = NULL;
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        XXH3_64bits_update(state, headers[i], strlen(headers[i]) + 1);
    uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    if (asprintf(&file, "%s/%016llx.h", folder, (unsigned long long)hash) < 0)
        return NULL;
    if (access(file, R_OK) == 0)
        return file;
    if (asprintf(&part, "%s.%d", file, (int)getpid()) < 0)
        part = NULL;
    if (part && write_source(part) && rename(part, file) == 0) {
        free(part);
        return file;
    }
    if (part)
        unlink(part);
    free(part);
    free(file);
    return NULL;
}

static bool make(const struct strings *options, const char *source, const char *file,
                 bool verbose)
{
    static const char *const more[] = {"-x", "c++-header", "-w", "-Xclang",
                                       "-fno-pch-timestamp"};
    struct strings args = {0};
    char *part = NULL;
    if (asprintf(&part, "%s.%d", file, (int)getpid()) < 0)
        return false;
    for (size_t i = 0; i < options->n; i++)
        strings_add(&args, options->at[i]);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        strings_add(&args, more[i]);
    strings_add(&args, "-o");
    strings_add(&args, part);
    strings_add(&args, source);
    int status = verbose ? compile_run(&args, true) : compile_run_silently(&args);
    bool made = status == 0 && rename(part, file) == 0;
    unlink(part);
    strings_fini(&args);
    free(part);
    return made;
}

char *pch_find(const struct strings *args, const char *runtime, bool verbose)
{
    char *folder = cache_folder("/headers"), *source = folder ? find_source(folder) : NULL;
    char *file = NULL;
    if (!source || asprintf(&file, "%s/%016llx.pch", folder,
                            (unsigned long long)key_of(args, runtime)) < 0)
        file = NULL;
    bool there = file && access(file, R_OK) == 0;
    if (file && !there && access(folder, W_OK) == 0 && make(args, source, file, verbose)) {
        cache_trim(folder, ".pch", MAX_HEADERS);
        there = true;
    }
    if (there) {
        cache_use(file);
    } else {
        free(file);
        file = NULL;
    }
    free(source);
    free(folder);
    return file;
}
