/* framework.c - see framework.h. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checker/array.h"
#include "checker/build/framework.h"
#include "checker/memory.h"

static const struct {
    const char *name, *marker;
} frameworks[] = {
    {"none", ""},
#define FRAMEWORK(id, name, marker) {name, marker},
#include "frameworks.def"
};
enum { COUNT = sizeof frameworks / sizeof *frameworks };

/* Finds the framework of a file: symbols are plain text in bitcode, in assembly, and in what
 * carries bitcode. */
static enum framework find_in(const char *file)
{
    struct stat st;
    enum framework found = FRAMEWORK_NONE;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    void *data = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
        data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    for (int k = 1; k < COUNT && data != MAP_FAILED && !found; k++)
        if (memmem(data, (size_t)st.st_size, frameworks[k].marker,
                   strlen(frameworks[k].marker)))
            found = (enum framework)k;
    if (data != MAP_FAILED)
        munmap(data, (size_t)st.st_size);
    if (fd >= 0)
        close(fd);
    return found;
}

enum framework framework_find(const struct strings *bitcode)
{
    enum framework found = FRAMEWORK_NONE;
    for (size_t i = 0; i < bitcode->n && !found; i++)
        found = find_in(bitcode->at[i]);
    return found;
}

const char *framework_name(enum framework framework)
{
    return frameworks[framework].name;
}
