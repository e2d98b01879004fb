/* cache.c - keeps what is made once and used again, in a folder of the user's, DIVM_CACHE_DIR
 * or else where such folders are.  All of it can be made anew: if the folder cannot be written
 * to, or a file in it is not whole, that is no error.
 *
 * Files are made beside their places and moved there, so that others see all of a file
 * or nothing; they may vanish at any time (cache_trim), which those who have them open
 * don't notice. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "checker/build/cache.h"
#include "checker/identity.h"
#include "vm/vm.h"

/* A kind of data that is kept for the loader. */
struct kind {
    const char *folder, *suffix;
    size_t max; /* bytes */
};
static const struct kind linked = {"/linked", ".bc", 64 << 20}; /* one is of 0.2 to 2 MB */
static const struct kind programs = {"/programs", ".program", 256 << 20}; /* of 0.5 to 10 MB */
static const struct kind objects = {"/objects", ".object", 256 << 20};    /* of 0.1 to 2 MB */

char *cache_folder(const char *inside)
{
    const char *ours = getenv("DIVM_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    char *folder = NULL;
    int n = -1;
    if (ours && *ours)
        n = asprintf(&folder, "%s%s", ours, inside);
    else if (xdg && *xdg)
        n = asprintf(&folder, "%s/divm%s", xdg, inside);
    else if (home && *home)
        n = asprintf(&folder, "%s/.cache/divm%s", home, inside);
    if (n < 0)
        return NULL;
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0777);
        *slash = '/';
    }
    mkdir(folder, 0777);
    if (access(folder, R_OK | X_OK) == 0)
        return folder;
    free(folder);
    return NULL;
}

/* ---- as much as there may be ----------------------------------------------------- */

struct entry {
    char name[NAME_MAX + 1];
    struct timespec used;
    off_t size;
};

static int by_use(const void *x, const void *y)
{
    const struct timespec *a = &((const struct entry *)x)->used,
                          *b = &((const struct entry *)y)->used;
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec ? -1 : 1;
    return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

void cache_trim(const char *folder, const char *suffix, size_t bytes)
{
    DIR *dir = opendir(folder);
    const struct dirent *d;
    struct entry *entries = NULL;
    size_t n = 0, total = 0;
    while (dir && (d = readdir(dir))) {
        const char *end = strstr(d->d_name, suffix);
        struct stat st;
        if (!end || fstatat(dirfd(dir), d->d_name, &st, 0) < 0 || !S_ISREG(st.st_mode))
            continue;
        struct entry *more = reallocarray(entries, n + 1, sizeof *entries);
        if (!more)
            break;
        entries = more;
        entries[n] = (struct entry){.used = st.st_mtim, .size = st.st_size};
        strlcpy(entries[n++].name, d->d_name, sizeof entries->name);
        total += (size_t)st.st_size;
    }
    qsort(entries, n, sizeof *entries, by_use);
    for (size_t i = 0; i < n && total > bytes; i++) {
        unlinkat(dirfd(dir), entries[i].name, 0);
        total -= (size_t)entries[i].size;
    }
    free(entries);
    if (dir)
        closedir(dir);
}

void cache_use(const char *file)
{
    utimensat(AT_FDCWD, file, NULL, 0); /* its owner's privilege; else it looks old */
}

/* ---- files ----------------------------------------------------------------------- */

char *cache_read(const char *file, size_t *size)
{
    struct stat st;
    char *data = NULL;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* it may be a pipe */
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        data = malloc((size_t)st.st_size + 1);
    size_t got = 0;
    ssize_t n = 1;
    while (data && n > 0 && got < (size_t)st.st_size) {
        n = read(fd, data + got, (size_t)st.st_size - got);
        got += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        close(fd);
    if (data && got < (size_t)st.st_size) {
        free(data);
        data = NULL;
    }
    *size = got;
    return data;
}

bool cache_write(const char *file, const void *head, size_t nhead, const void *data, size_t n)
{
    char *part = NULL;
    if (asprintf(&part, "%s.%d", file, (int)getpid()) < 0)
        return false;
    FILE *out = fopen(part, "we");
    bool whole = out && (!nhead || fwrite(head, 1, nhead, out) == nhead) &&
                 (!n || fwrite(data, 1, n, out) == n);
    if (out)
        whole = fclose(out) == 0 && whole;
    whole = whole && rename(part, file) == 0;
    if (out && !whole)
        unlink(part);
    free(part);
    return whole;
}

/* ---- linked parts of the runtime, programs, and what clang made ------------------ */

static char *file_of(const struct kind *kind, const uint64_t key[2])
{
    char *file = NULL, *folder = cache_folder(kind->folder);
    uint64_t all[] = {key[0], key[1], 0, 0};
    if (folder && check_identity(all + 2)) { /* another divm may link otherwise */
        XXH128_hash_t hash = XXH3_128bits(all, sizeof all);
        if (asprintf(&file, "%s/%016llx%016llx%s", folder, (unsigned long long)hash.high64,
                     (unsigned long long)hash.low64, kind->suffix) < 0)
            file = NULL;
    }
    free(folder);
    return file;
}

/* Reads a file, which ends with the hash of the rest. */
static char *get_kept(void *context, const uint64_t key[2], size_t *size)
{
    char *file = file_of(context, key), *data = file ? cache_read(file, size) : NULL;
    XXH128_hash_t hash;
    if (data && *size >= sizeof hash) {
        *size -= sizeof hash;
        memcpy(&hash, data + *size, sizeof hash);
        if (XXH128_isEqual(hash, XXH3_128bits(data, *size))) {
            cache_use(file);
            free(file);
            return data;
        }
    }
    free(data);
    free(file);
    return NULL;
}

/* Keeps a file.  To trim the folder takes a look at all its files, so only one of SELDOM files,
 * by its hash, has it done. */
static void put_kept(void *context, const uint64_t key[2], const char *data, size_t size)
{
    enum { SELDOM = 8 };
    const struct kind *kind = context;
    char *file = file_of(kind, key);
    XXH128_hash_t hash = XXH3_128bits(data, size);
    if (file) {
        cache_write(file, data, size, &hash, sizeof hash);
        *strrchr(file, '/') = '\0';
        if (hash.low64 % SELDOM == 0)
            cache_trim(file, kind->suffix, kind->max);
    }
    free(file);
}

const struct vm_kept cache_linked = {(void *)&linked, get_kept, put_kept};
const struct vm_kept cache_programs = {(void *)&programs, get_kept, put_kept};
const struct vm_kept cache_objects = {(void *)&objects, get_kept, put_kept};
