/* load_ar.c - ar archives of bitcode, read through their symbol index (the GNU
 * format's first member: a big-endian count, offsets, and names). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "vm/heap/memory.h"
#include "vm/load/link/load_ar.h"

enum { HEADER = 60, MAGIC = 8 };

struct archive {
    const char *data;
    size_t size;
    uint32_t nsymbols;
    const char **names; /* sorted with offsets */
    uint32_t *offsets;
};

static uint32_t big_endian(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static bool member_at(const struct archive *a, size_t offset, const char **data, size_t *size)
{
    char number[11] = {0};
    if (offset + HEADER > a->size)
        return false;
    memcpy(number, a->data + offset + 48, 10);
    *size = strtoul(number, NULL, 10);
    *data = a->data + offset + HEADER;
    return offset + HEADER + *size <= a->size;
}

struct symbol {
    const char *name;
    uint32_t offset;
};

static int by_name(const void *x, const void *y)
{
    return strcmp(((const struct symbol *)x)->name, ((const struct symbol *)y)->name);
}

static bool read_index(struct archive *a)
{
    const char *index;
    size_t size;
    if (a->size < MAGIC || memcmp(a->data, "!<arch>\n", MAGIC) ||
        !member_at(a, MAGIC, &index, &size))
        return false;
    if (memcmp(a->data + MAGIC, "/ ", 2) || size < 4)
        return false;
    uint32_t n = big_endian(index);
    if ((size_t)n * 4 + 4 > size)
        return false;
    struct symbol *symbols = vm_alloc(n * sizeof *symbols);
    const char *name = index + 4 + 4 * (size_t)n, *end = index + size;
    for (uint32_t k = 0; k < n; k++) {
        const char *zero = name < end ? memchr(name, 0, (size_t)(end - name)) : NULL;
        if (!zero) {
            free(symbols);
            return false;
        }
        symbols[k] = (struct symbol){name, big_endian(index + 4 + 4 * (size_t)k)};
        name = zero + 1;
    }
    qsort(symbols, n, sizeof *symbols, by_name);
    a->nsymbols = n;
    a->names = vm_alloc(n * sizeof *a->names);
    a->offsets = vm_alloc(n * sizeof *a->offsets);
    for (uint32_t k = 0; k < n; k++) {
        a->names[k] = symbols[k].name;
        a->offsets[k] = symbols[k].offset;
    }
    free(symbols);
    return true;
}

struct archive *archive_open(const char *path, char **error)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0) {
        if (asprintf(error, "%s: %s", path, strerror(errno)) < 0)
            *error = NULL;
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    struct archive *a = vm_alloc(sizeof *a);
    *a = (struct archive){.size = (size_t)st.st_size};
    void *p = a->size ? mmap(NULL, a->size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    a->data = p == MAP_FAILED ? NULL : p;
    if (!a->data || !read_index(a)) {
        if (asprintf(error, "%s: not an archive with a symbol index", path) < 0)
            *error = NULL;
        archive_close(a);
        return NULL;
    }
    return a;
}

void archive_close(struct archive *a)
{
    if (a->data)
        munmap((void *)a->data, a->size);
    free(a->names);
    free(a->offsets);
    free(a);
}

const void *archive_find(struct archive *a, const char *symbol, size_t *size)
{
    uint32_t low = 0, high = a->nsymbols;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (strcmp(a->names[mid], symbol) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    const char *data;
    if (low == a->nsymbols || strcmp(a->names[low], symbol) ||
        !member_at(a, a->offsets[low], &data, size))
        return NULL;
    return data;
}

uint64_t archive_hash(const struct archive *a)
{
    return XXH3_64bits(a->data, a->size);
}
