/* inputs.c - files of the host that the program sees: its standard input and snapshots of
 * folders (--stdin, --capture). */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "checker/build/inputs.h"
#include "checker/memory.h"

enum { DEPTH_MAX = 64, FILES_MAX = 100000 };
#define BYTES_MAX ((size_t)256 << 20)

struct inputs {
    struct vm_file *files;
    size_t n, bytes;
};

static bool complain(const char *path, const char *why)
{
    fprintf(stderr, "divm: %s: %s\n", path, why);
    return false;
}

static bool add(struct inputs *inputs, const char *name, const char *data, size_t size,
                mode_t mode)
{
    struct vm_file *files =
        check_memory(realloc(inputs->files, (inputs->n + 1) * sizeof *files));
    inputs->files = files;
    inputs->files[inputs->n++] = (struct vm_file){
        check_strdup(name), (const unsigned char *)data, size, (int)(mode & 0777)};
    inputs->bytes += size;
    return inputs->n <= FILES_MAX && inputs->bytes <= BYTES_MAX
               ? true
               : complain(name, "there is too much to capture");
}

static bool add_file(struct inputs *inputs, const char *path, const char *name, mode_t mode)
{
    FILE *in = fopen(path, "r");
    char *data = NULL, part[65536];
    size_t size = 0, got;
    if (!in)
        return complain(path, strerror(errno));
    while ((got = fread(part, 1, sizeof part, in)) > 0 && size <= BYTES_MAX) {
        char *longer = check_memory(realloc(data, size + got));
        data = longer;
        memcpy(data + size, part, got);
        size += got;
    }
    bool good = !ferror(in);
    fclose(in);
    if (good)
        return add(inputs, name, data, size, mode);
    free(data);
    return complain(path, "cannot be read");
}

static bool add_tree(struct inputs *inputs, const char *path, const char *name, int depth);

static bool add_folder(struct inputs *inputs, const char *path, const char *name, int depth)
{
    struct dirent **list;
    char *inner = NULL, *inner_name = NULL;
    int n = scandir(path, &list, NULL, alphasort);
    bool good = n >= 0 ? true : complain(path, strerror(errno));
    for (int k = 0; k < n; k++) {
        const char *entry = list[k]->d_name;
        if (good && strcmp(entry, ".") && strcmp(entry, "..")) {
            good = asprintf(&inner, "%s/%s", path, entry) > 0 &&
                   asprintf(&inner_name, "%s/%s", name, entry) > 0 &&
                   add_tree(inputs, inner, inner_name, depth + 1);
            free(inner);
            free(inner_name);
        }
        free(list[k]);
    }
    if (n >= 0)
        free(list);
    return good;
}

/* Adds a file, or a folder with all that is in it.  A folder's name ends in a slash.  Links are
 * followed; what is neither file nor folder is left out. */
static bool add_tree(struct inputs *inputs, const char *path, const char *name, int depth)
{
    struct stat status;
    char *folder;
    if (stat(path, &status) != 0)
        return depth ? true : complain(path, strerror(errno)); /* a link to nowhere */
    if (S_ISREG(status.st_mode))
        return add_file(inputs, path, name, status.st_mode);
    if (!S_ISDIR(status.st_mode))
        return true;
    if (depth > DEPTH_MAX)
        return complain(path, "the folders are nested too deeply");
    bool good = asprintf(&folder, "%s/", name) > 0 &&
                add(inputs, folder, NULL, 0, status.st_mode) &&
                add_folder(inputs, path, name, depth);
    free(folder);
    return good;
}

/* Captures DIR or DIR:MOUNT; without a mount, to a path like that of the host. */
static bool capture(struct inputs *inputs, const char *argument)
{
    char *path = check_strdup(argument), *colon = strrchr(path, ':'), *name = NULL;
    if (colon)
        *colon++ = 0;
    const char *mount = colon ? colon : path;
    while (*mount == '/' || (mount[0] == '.' && (mount[1] == '/' || !mount[1])))
        mount++;
    bool good = asprintf(&name, "%s%s", *mount ? "/" : "", mount) >= 0;
    size_t end = strlen(name);
    while (end > 1 && name[end - 1] == '/')
        name[--end] = 0;
    if (good && strstr(name, ".."))
        good = complain(argument, "a mount has no '..' in it");
    good = good && add_tree(inputs, path, name, 0);
    free(name);
    free(path);
    return good;
}

bool inputs_read(const struct strings *list, struct vm_file **files, size_t *n)
{
    static const char input[] = "--stdin=", folder[] = "--capture=";
    struct inputs inputs = {0};
    bool good = true;
    for (size_t k = 0; k < list->n && good; k++) {
        const char *text = list->at[k];
        if (!strncmp(text, input, sizeof input - 1))
            good = add_file(&inputs, text + sizeof input - 1, "", 0600);
        else
            good = capture(&inputs, text + sizeof folder - 1);
    }
    *files = inputs.files;
    *n = inputs.n;
    return good;
}

void inputs_free(struct vm_file *files, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        free((char *)files[k].name);
        free((unsigned char *)files[k].data);
    }
    free(files);
}
