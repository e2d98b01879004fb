/* includes.c - see includes.h.
 *
 * The text has a line for each file, "f", each folder of installed headers, "d", and each of
 * the user's, "u", with a hash of what stat() says, and the path; after a folder of the user's,
 * a line for each name that matters there: "n" if it must not come to be, "y" if it must stay.
 * A folder below one of those in which clang looks is noted as well if a header was
 * found in such a folder below another one, whether it is there or not. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "checker/build/cache.h"
#include "checker/build/includes.h"

enum { MISSING = 0, TICK_NS = 100000000 };

bool includes_installed(const char *path, const char *runtime)
{
    static const char *const folders[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/",
                                          "/usr/share/"};
    size_t n = strlen(runtime);
    bool installed = !strncmp(path, runtime, n) && (path[n] == '/' || path[n] == '\0');
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        n = strlen(folders[i]) - 1;
        installed |= !strncmp(path, folders[i], n) && (path[n] == '/' || path[n] == '\0');
    }
    return installed && !strstr(path, "/..");
}

/* ---- dates ----------------------------------------------------------------------- */

struct timespec includes_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return now;
}

/* Is the date so much before the other that a later change has another date?  Some file systems
 * keep whole seconds, or two of them. */
static bool well_before(struct timespec date, struct timespec other)
{
    int64_t apart =
        (int64_t)(other.tv_sec - date.tv_sec) * 1000000000 + other.tv_nsec - date.tv_nsec;
    return apart > (date.tv_nsec ? TICK_NS : 3000000000);
}

/* Returns a hash of what is known of a file; *old: it will tell a later change. */
static uint64_t facts_of(const char *path, struct timespec started, bool *old)
{
    struct stat st;
    *old = true;
    if (stat(path, &st) < 0)
        return MISSING;
    *old = well_before(st.st_mtim, started) && well_before(st.st_ctim, started);
    uint64_t facts[] = {st.st_dev,
                        st.st_ino,
                        st.st_mode,
                        (uint64_t)st.st_size,
                        (uint64_t)st.st_mtim.tv_sec,
                        (uint64_t)st.st_mtim.tv_nsec,
                        (uint64_t)st.st_ctim.tv_sec,
                        (uint64_t)st.st_ctim.tv_nsec};
    return XXH3_64bits(facts, sizeof facts) | 1;
}

/* ---- sorted lists ---------------------------------------------------------------- */

static int compare(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

static void sort(struct strings *list)
{
    size_t n = 0;
    if (list->n)
        qsort(list->at, list->n, sizeof *list->at, compare);
    for (size_t i = 0; i < list->n; i++)
        if (n && !strcmp(list->at[n - 1], list->at[i]))
            free(list->at[i]);
        else
            list->at[n++] = list->at[i];
    list->n = n;
}

/* Returns the folder of a path, malloc'ed. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? check_strndup(path, (size_t)(slash - path)) : check_strdup(".");
}

/* ---- what was read --------------------------------------------------------------- */

/* Returns one name, with what make's syntax has before a space, '#' or '$' taken away; NULL at
 * the end of the list. */
static char *next_name(const char **at)
{
    while (**at == ' ' || **at == '\n' || (**at == '\\' && (*at)[1] == '\n'))
        ++*at;
    if (!**at)
        return NULL;
    char *name = check_zeros(1, strcspn(*at, "\n") + 1);
    for (size_t n = 0; **at && **at != ' ' && **at != '\n'; ++*at) {
        if ((**at == '\\' && strchr(" #", (*at)[1])) || (**at == '$' && (*at)[1] == '$'))
            ++*at;
        name[n++] = **at;
    }
    return name;
}

bool includes_read(struct includes *includes, const char *list)
{
    size_t size;
    char *text = cache_read(list, &size);
    if (!text)
        return false;
    text[size] = '\0';
    const char *at = strstr(text, ": "); /* after the target's name */
    char *name;
    for (at = at ? at + 1 : text + size; (name = next_name(&at)); free(name))
        strings_add(&includes->files, name);
    free(text);
    return includes->files.n > 0;
}

/* ---- which names would have been found ------------------------------------------- */

static const char *below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    if (!strcmp(folder, ".") && *path != '/')
        return path;
    return !strncmp(path, folder, n) && path[n] == '/' ? path + n + 1 : NULL;
}

/* Adds the folders of files: clang looks beside the file that includes another one, too.  At
 * least those of the user's files, and of headers that are below none of the folders (clang's
 * own). */
static void add_folders_of_files(struct includes *includes)
{
    size_t given = includes->folders.n;
    for (size_t i = 0; i < includes->files.n; i++) {
        const char *file = includes->files.at[i];
        bool found = includes_installed(file, includes->runtime);
        for (size_t k = 0; k < given && found; k++)
            if (below(file, includes->folders.at[k]))
                goto next;
        char *folder = folder_of(file);
        strings_add(&includes->folders, folder);
        free(folder);
    next:;
    }
    sort(&includes->folders);
}

/* Lists the names by which the files may have been included. */
static void names_of_files(const struct includes *includes, struct strings *names)
{
    for (size_t i = 0; i < includes->files.n; i++)
        for (size_t k = 0; k < includes->folders.n; k++) {
            const char *name = below(includes->files.at[i], includes->folders.at[k]);
            if (name)
                strings_add(names, name);
        }
}

/* Lists the names that a file asks for with __has_include; false if it asks for what a macro
 * says, or for the date, or takes in what is not listed. */
static bool names_in_file(const char *file, bool installed, struct strings *names)
{
    static const char *const others[] = {"__DATE__", "__TIME__", "__TIMESTAMP__", "__has_embed",
                                         ".incbin"};
    size_t size;
    char *text = cache_read(file, &size);
    if (!text)
        return false;
    text[size] = '\0';
    bool known = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        known &= installed || !memmem(text, size, others[i], strlen(others[i]));
    for (const char *at = text; known && (at = strstr(at, "__has_include"));) {
        at += strcspn(at, "(<\"\n");
        at += *at == '(';
        at += strspn(at, " \t");
        if (*at != '<' && *at != '"') {
            known =
                installed; /* defined(__has_include), or a macro: installed ones do it right */
            known |= *at == '\n' || *at == '\0';
            continue;
        }
        size_t n = strcspn(at + 1, ">\"\n");
        char *name = check_strndup(at + 1, n);
        strings_add(names, name);
        free(name);
        at += n;
    }
    free(text);
    return known;
}

/* ---- the text -------------------------------------------------------------------- */

/* Writes the names in the folder of that name, below FOLDER: those that are there, and those
 * that are not. */
static void write_names(const char *folder, const char *inside, const struct strings *names,
                        FILE *out)
{
    size_t n = strlen(inside);
    for (size_t i = 0; i < names->n; i++) {
        const char *name = names->at[i], *slash = strrchr(name, '/');
        size_t length = slash ? (size_t)(slash - name) : 0;
        struct stat st;
        if (length != n || strncmp(name, inside, n) != 0)
            continue;
        char *path = check_format("%s/%s", folder, name);
        fprintf(out, "%c %s\n", stat(path, &st) == 0 ? 'y' : 'n', path);
        free(path);
    }
}

static bool write_folder(const struct includes *includes, const char *folder,
                         const char *inside, const struct strings *names, FILE *out)
{
    bool old;
    char *path = check_format(*inside ? "%s/%s" : "%s", folder, inside);
    uint64_t facts = facts_of(path, includes->started, &old);
    bool installed = includes_installed(path, includes->runtime);
    fprintf(out, "%c %016llx %s\n", installed ? 'd' : 'u', (unsigned long long)facts, path);
    if (!installed)
        write_names(folder, inside, names, out);
    free(path);
    return old;
}

static bool write_folders(const struct includes *includes, const struct strings *names,
                          FILE *out)
{
    struct strings insides = {0};
    strings_add(&insides, "");
    for (size_t i = 0; i < names->n; i++)
        if (strchr(names->at[i], '/')) {
            char *inside = folder_of(names->at[i]);
            strings_add(&insides, inside);
            free(inside);
        }
    sort(&insides);
    bool old = true;
    for (size_t k = 0; k < includes->folders.n && old; k++)
        for (size_t i = 0; i < insides.n && old; i++)
            old = write_folder(includes, includes->folders.at[k], insides.at[i], names, out);
    strings_fini(&insides);
    return old;
}

bool includes_write(struct includes *includes, FILE *out)
{
    struct strings names = {0};
    bool good = true;
    sort(&includes->files);
    add_folders_of_files(includes);
    names_of_files(includes, &names);
    for (size_t i = 0; i < includes->files.n && good; i++) {
        const char *file = includes->files.at[i];
        uint64_t facts = facts_of(file, includes->started, &good);
        good = good && facts != MISSING && !strchr(file, '\n') &&
               names_in_file(file, includes_installed(file, includes->runtime), &names);
        fprintf(out, "f %016llx %s\n", (unsigned long long)facts, file);
    }
    sort(&names);
    good = good && write_folders(includes, &names, out);
    fputc('\n', out);
    strings_fini(&names);
    return good;
}

/* ---- later ----------------------------------------------------------------------- */

/* Copies the path at the end of a line into a buffer. */
static bool path_of(const char *at, const char *line_end, char *path, size_t size)
{
    size_t n = (size_t)(line_end - at);
    if (line_end < at || n >= size)
        return false;
    memcpy(path, at, n);
    path[n] = '\0';
    return true;
}

/* Is the line true?  For a folder of the user's: has it *changed, so that the names in it
 * matter? */
static bool holds(char kind, uint64_t facts, const char *path, bool *changed)
{
    struct stat st;
    bool old;
    if (kind == 'n' || kind == 'y')
        return !*changed || (stat(path, &st) == 0) == (kind == 'y');
    *changed = facts != facts_of(path, (struct timespec){0}, &old);
    return kind == 'u' || !*changed;
}

const char *includes_unchanged(const char *text, const char *end)
{
    bool changed = false;
    while (text < end && *text != '\n') {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        char *after, path[4096];
        bool name = *text == 'n' || *text == 'y';
        uint64_t facts = name ? MISSING : strtoull(text + 2, &after, 16);
        const char *at = name ? text + 2 : after + 1;
        if (!line_end || !path_of(at, line_end, path, sizeof path) ||
            !holds(*text, facts, path, &changed))
            return NULL;
        text = line_end + 1;
    }
    return text < end ? text + 1 : NULL;
}
