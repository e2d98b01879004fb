// Files that are mapped: for reading also as shared, while they do not change.
//
// Result: correct.
// -DCASE=1..4: memory error.
// -DCASE=5..9: refused.
// Expect-CASE=1: write of memory that may not be written
// Expect-CASE=5: a file changes that is mapped with MAP_SHARED: this is not supported
// Expect-CASE=8: mmap: shared mappings of files are for reading only
// Expect-CASE=9: mprotect: shared mappings of files are for reading only
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CASE
#define CASE 0
#endif
enum { PAGE = 4096, BOTH = PROT_READ | PROT_WRITE };

static void *map(int fd, size_t size, int protection, int flags)
{
    return mmap(NULL, size, protection, flags, fd, 0);
}

int main(void)
{
    int fd = open("f", O_RDWR | O_CREAT, 0600), reader = open("f", O_RDONLY);
    int writer = open("f", O_WRONLY), null = open("/dev/null", O_RDWR), status;
    assert(write(fd, "text", 4) == 4);
    char *p = map(reader, 2 * PAGE, PROT_READ, MAP_SHARED);
    char *q = map(reader, 2 * PAGE, BOTH, MAP_PRIVATE);
    assert(!strcmp(p, "text") && !strcmp(q, "text") && p[PAGE - 1] == 0);
    assert(map(reader, PAGE, BOTH, MAP_SHARED) == MAP_FAILED && errno == EACCES);
    assert(map(writer, PAGE, PROT_READ, MAP_PRIVATE) == MAP_FAILED && errno == EACCES);
    assert(map(null, PAGE, PROT_READ, MAP_PRIVATE) == MAP_FAILED && errno == ENODEV);
    assert(map(77, PAGE, PROT_READ, MAP_PRIVATE) == MAP_FAILED && errno == EBADF);
    assert(mprotect(p, PAGE, BOTH) == -1 && errno == EACCES);
    assert(mprotect(p, PAGE, PROT_NONE) == 0 && mprotect(p, PAGE, PROT_READ) == 0);
    q[0] = 'n';
    assert(p[0] == 't' && !strcmp(q, "next"));
    assert(close(reader) == 0 && p[1] == 'e');
    char *r = map(fd, PAGE, PROT_READ, MAP_SHARED);
    switch (CASE) {
    case 1: p[0] = 1; break;
    case 2: q[0] = p[PAGE]; break; /* beyond the end: SIGBUS */
    case 3: q[PAGE] = 1; break;
    case 4:
        if (fork() == 0)
            p[0] = 1;
        wait(&status);
        break;
    case 5: write(writer, "n", 1); break;
    case 6: ftruncate(fd, 0); break;
    case 7: open("f", O_WRONLY | O_TRUNC); break;
    case 8: map(fd, PAGE, BOTH, MAP_SHARED); break;
    case 9: mprotect(r, PAGE, BOTH); break;
    }
    assert(munmap(p, 2 * PAGE) == 0 && munmap(r, PAGE) == 0);
    assert(write(writer, "longer", 6) == 6 && !strcmp(q, "next")); /* it was written to */
    p = map(fd, 6, PROT_READ, MAP_SHARED);
    assert(unlink("f") == 0 && close(fd) == 0 && close(writer) == 0);
    assert(p[5] == 'r' && munmap(p, 6) == 0 && munmap(q, 2 * PAGE) == 0);
    return close(null);
}
