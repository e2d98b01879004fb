/* catopen - message catalogues, in musl's format.  A name with a slash is a path; others
 * are looked for where NLSPATH says, of whose fields only the name is filled in. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <nl_types.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC = 0xff88ff89, HEADER = 20, SIZE_AT = 8 };

static uint32_t number(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           bytes[3];
}

static int is_catalogue(const unsigned char *map, size_t size)
{
    return number(map) == (uint32_t)MAGIC && HEADER + number(map + SIZE_AT) == size;
}

static nl_catd open_path(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return (nl_catd)-1;
    void *map = MAP_FAILED;
    if (fstat(fd, &status) == 0 && status.st_size >= HEADER)
        map = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (map != MAP_FAILED && is_catalogue(map, status.st_size))
        return map;
    if (map != MAP_FAILED)
        munmap(map, status.st_size);
    errno = ENOENT;
    return (nl_catd)-1;
}

/* Fills in one template, up to a colon; 0 if it gets too long. */
static int fill(char *to, const char *template, size_t length, const char *name)
{
    size_t n = 0;
    for (size_t k = 0; k < length && n < PATH_MAX - 1; k++) {
        size_t part = strlen(name);
        if (template[k] != '%' || k + 1 == length) {
            to[n++] = template[k];
        } else if (template[++k] == 'N') {
            if (n + part >= PATH_MAX)
                return 0;
            memcpy(to + n, name, part);
            n += part;
        } else if (template[k] == '%') {
            to[n++] = '%';
        }
    }
    to[n] = 0;
    return n > 0 && n < PATH_MAX - 1;
}

nl_catd catopen(const char *name, int flags)
{
    char path[PATH_MAX];
    const char *list = getenv("NLSPATH");
    (void)flags;
    if (strchr(name, '/'))
        return open_path(name);
    for (; list && *list; list += *list == ':') {
        size_t length = strcspn(list, ":");
        nl_catd found = (nl_catd)-1;
        if (fill(path, list, length, name))
            found = open_path(path);
        if (found != (nl_catd)-1)
            return found;
        list += length;
    }
    errno = ENOENT;
    return (nl_catd)-1;
}
