/* libraries.c - finds what -lNAME asks for: a library of the runtime's, or an archive in a
 * folder given with -L. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/build/libraries.h"
#include "checker/memory.h"

static const struct library libraries[] = {
#define LIBRARY(name, script, has_main) {name, script, has_main},
#include "libraries.def"
};

static const struct library *find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strlen(libraries[i].name) == length && !strncmp(libraries[i].name, name, length))
            return &libraries[i];
    return NULL;
}

bool library_is_of_host(const char *path)
{
    return !strncmp(path, "/usr/lib/", 9) || !strncmp(path, "/lib/", 5) ||
           !strcmp(path, "/usr/lib") || !strcmp(path, "/lib");
}

char *library_find(const struct strings *options, const char *name)
{
    for (size_t i = 0; i < options->n; i++) {
        const char *folder = options->at[i];
        char *file;
        if (strncmp(folder, "-L", 2) != 0 || library_is_of_host(folder + 2)) /* machine code */
            continue;
        folder += 2;
        file = check_format("%s/lib%s.a", folder, name);
        if (access(file, R_OK) == 0)
            return file;
        free(file);
    }
    return NULL;
}

bool library_is_shared_only(const struct strings *options, const char *name)
{
    static const char *const folders[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib"};
    static const char *const kinds[] = {"a", "so"};
    bool found[2] = {false};
    char file[PATH_MAX], *own = library_find(options, name);
    for (size_t i = 0; i < 2 && !own; i++)
        for (size_t k = 0; k < 2; k++) {
            int n = snprintf(file, sizeof file, "%s/lib%s.%s", folders[i], name, kinds[k]);
            found[k] |= n < (int)sizeof file && access(file, R_OK) == 0;
        }
    free(own);
    return found[1] && !found[0];
}

const struct library *library_ours(const struct strings *options, const char *word)
{
    const char *slash = strrchr(word, '/');
    if (slash && library_is_of_host(word) && !strncmp(slash, "/lib", 4))
        return find(slash + 4, strcspn(slash + 4, "."));
    if (strncmp(word, "-l", 2) != 0)
        return NULL;
    const struct library *ours = find(word + 2, strlen(word + 2));
    char *own = ours && *ours->script ? library_find(options, word + 2) : NULL;
    free(own);
    return own ? NULL : ours;
}
