// Flags of mappings that the machine does not have are refused by name, and so are protections
// of what mmap did not give.
//
// Result: correct.
// -DCASE=1..8: refused.
// Expect-CASE=1: mmap: MAP_FIXED is supported within a private mapping only, for anonymous memory
// Expect-CASE=2: mmap: MAP_32BIT is not supported
// Expect-CASE=6: mprotect of memory that mmap did not give is not supported
// Expect-CASE=8: mprotect of memory that processes share is not supported after a fork
#define _GNU_SOURCE
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef CASE
#define CASE 0
#endif
enum { SIZE = 4096, ANY = MAP_PRIVATE | MAP_ANONYMOUS, BOTH = PROT_READ | PROT_WRITE };

static _Alignas(SIZE) char global[SIZE];

int main(void)
{
    char *p = mmap(NULL, SIZE, BOTH, ANY, -1, 0), *allocated = aligned_alloc(SIZE, SIZE);
    char *s = mmap(NULL, SIZE, BOTH, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    p[0] = 1;
    assert(mmap(NULL, SIZE, BOTH, MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    switch (CASE) {
    case 0: break;
    case 1: mmap(s, SIZE, BOTH, ANY | MAP_FIXED, -1, 0); break;
    case 2: mmap(NULL, SIZE, BOTH, ANY | MAP_32BIT, -1, 0); break;
    case 3: mmap(NULL, SIZE, BOTH, ANY | MAP_GROWSDOWN, -1, 0); break;
    case 4: mmap(p, SIZE, BOTH, ANY | MAP_FIXED_NOREPLACE, -1, 0); break;
    case 5: mmap(NULL, SIZE, BOTH, ANY | MAP_HUGETLB, -1, 0); break;
    case 6: mprotect(allocated, SIZE, PROT_READ); break;
    case 7: mprotect(global, SIZE, PROT_READ); break;
    case 8:
        if (fork() == 0)
            mprotect(s, SIZE, PROT_READ);
        break;
    }
    free(allocated);
    return munmap(p, SIZE) + munmap(s, SIZE);
}
