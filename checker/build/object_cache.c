/* object_cache.c - see object_cache.h. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "checker/build/cache.h"
#include "checker/build/child.h"
#include "checker/build/object_cache.h"

/* ---- what is asked for ----------------------------------------------------------- */

static bool begins(const char *text, const char *const *starts)
{
    for (; *starts; starts++)
        if (!strncmp(text, *starts, strlen(*starts)))
            return true;
    return false;
}

/* Does the option read nothing but headers?  Others may read what clang does not list. */
static bool is_plain(const char *option)
{
    static const char *const plain[] = {
        "-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include", "-std=", "-O",
        "-W", "-w", "-g", "-f",       "-m",      "-pedantic",  "-pthread", NULL};
    static const char *const others[] = {"-Wp,",       "-Wa,",         "-fmodule",
                                         "-fplugin",   "-fprofile",    "-fsanitize-ignorelist",
                                         "-ftime",     "-fxray",       "-fsanitize-coverage",
                                         "-fimplicit", "-include-pch", "-mllvm",
                                         NULL};
    if (*option != '-') /* what the option before it is about */
        return *option != '@';
    bool names_file = option[1] == 'f' && strchr(option, '/');
    return begins(option, plain) && !begins(option, others) && !names_file;
}

/* Do variables of the environment tell clang more? */
static bool told_by_environment(void)
{
    static const char *const names[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                        "CCC_OVERRIDE_OPTIONS", "SOURCE_DATE_EPOCH"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return true;
    return false;
}

bool object_key(const struct strings *args, const struct strings *users, const char *file,
                uint64_t key[2])
{
    char folder[PATH_MAX];
    const char *named = getenv("PWD"); /* debug information may have it so */
    if (!strcmp(file, "-") || told_by_environment() || !getcwd(folder, sizeof folder))
        return false;
    for (size_t i = 0; i < users->n; i++)
        if (!is_plain(users->at[i]))
            return false;
    XXH3_state_t *state = XXH3_createState();
    struct timespec compiler = child_date(args->at[0]);
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, &compiler, sizeof compiler);
    XXH3_128bits_update(state, folder, strlen(folder) + 1);
    XXH3_128bits_update(state, named ? named : "", strlen(named ? named : "") + 1);
    for (size_t i = 0; i < args->n; i++)
        XXH3_128bits_update(state, args->at[i], strlen(args->at[i]) + 1);
    XXH3_128bits_update(state, file, strlen(file) + 1);
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    key[0] = hash.low64;
    key[1] = hash.high64;
    return true;
}

void object_folders(const struct strings *args, struct strings *folders)
{
    static const char *const options[] = {"-isystem", "-iquote", "-idirafter", "-I"};
    for (size_t i = 0; i < args->n; i++)
        for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
            size_t n = strlen(options[k]);
            if (strncmp(args->at[i], options[k], n) != 0)
                continue;
            const char *folder = args->at[i] + n;
            if (!*folder && i + 1 < args->n)
                folder = args->at[i + 1];
            size_t length = strlen(folder);
            while (length > 1 && folder[length - 1] == '/')
                length--;
            char *plain = check_strndup(folder, length);
            strings_add(folders, plain);
            free(plain);
            break;
        }
}

/* ---- what is kept ---------------------------------------------------------------- */

bool object_find(const uint64_t key[2], const char *output)
{
    size_t size;
    char *kept = cache_objects.get(cache_objects.context, key, &size);
    const char *bitcode = kept ? includes_unchanged(kept, kept + size) : NULL;
    bool found =
        bitcode && cache_write(output, bitcode, (size_t)(kept + size - bitcode), NULL, 0);
    free(kept);
    return found;
}

void object_keep(const uint64_t key[2], struct includes *includes, const char *output)
{
    char *text;
    size_t size, n;
    FILE *out = check_text_stream(&text, &size);
    bool good = includes_write(includes, out);
    char *bitcode = good ? cache_read(output, &n) : NULL;
    if (bitcode)
        fwrite(bitcode, 1, n, out);
    fclose(out);
    if (bitcode)
        cache_objects.put(cache_objects.context, key, text, size);
    free(bitcode);
    free(text);
}
