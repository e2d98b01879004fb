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

#include "checker/build/cache.h"
#include "checker/build/child.h"
#include "checker/build/pch.h"
#include "checker/memory.h"

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

/* Hashes the compiler, its options, and the headers that it is made from. */
static uint64_t key_of(const struct strings *args, const char *runtime)
{
    XXH3_state_t *state = XXH3_createState();
    static const char *const stamps[] = {"c++/.stamp", ".stamp"}; /* dated when installed */
    struct timespec compiler = child_date(args->at[0]);
    XXH3_64bits_reset(state);
    XXH3_64bits_update(state, &compiler, sizeof compiler);
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

/* Returns the text that includes all headers, malloc'ed. */
static char *source_text(size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        fprintf(out, "#if __has_include(<%s>)\n#include <%s>\n#endif\n", headers[i],
                headers[i]);
    fclose(out);
    return text;
}

static bool holds(const char *file, const char *text, size_t size)
{
    size_t n;
    char *there = cache_read(file, &n);
    bool same = there && n == size && !memcmp(there, text, n);
    free(there);
    return same;
}

/* Returns the file with that text, made if need be, malloc'ed; NULL if there is none.  clang
 * wants to see it again whenever the precompiled header is used. */
static char *find_source(const char *folder)
{
    size_t size;
    char *file = NULL, *text = source_text(&size);
    uint64_t hash = text ? XXH3_64bits(text, size) : 0;
    if (!text || asprintf(&file, "%s/%016llx.h", folder, (unsigned long long)hash) < 0)
        file = NULL;
    if (file && !holds(file, text, size) && !cache_write(file, NULL, 0, text, size)) {
        free(file);
        file = NULL;
    }
    free(text);
    return file;
}

/* ---- what is whole --------------------------------------------------------------- */

/* Returns the name of the file with a precompiled header's hash: clang takes many files for
 * whole that are not.  If two processes make both at once, they are made anew. */
static char *sum_file(const char *file)
{
    char *sum = NULL;
    return asprintf(&sum, "%s.sum", file) < 0 ? NULL : sum;
}

static bool is_whole(const char *file)
{
    uint64_t hash[2];
    char *sum = sum_file(file);
    bool whole = sum && vm_hash_file(file, hash) && holds(sum, (const char *)hash, sizeof hash);
    if (whole)
        cache_use(sum);
    free(sum);
    return whole;
}

static bool note_whole(const char *file)
{
    uint64_t hash[2];
    char *sum = sum_file(file);
    bool noted =
        sum && vm_hash_file(file, hash) && cache_write(sum, hash, sizeof hash, NULL, 0);
    free(sum);
    return noted;
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
    bool made = status == 0 && rename(part, file) == 0 && note_whole(file);
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
    bool there = file && is_whole(file);
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
