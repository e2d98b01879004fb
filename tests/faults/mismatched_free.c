// What mmap made is given to free.  Result: memory error.
// -DMUNMAP what malloc made is given to munmap: memory error.
// -DSHARED what processes share is given to free: memory error.
// -DREALLOC what mmap made is given to realloc: memory error.
// -DBOTH each is given back to where it comes from: correct.
// Expect: mismatched deallocation: free of what mmap made: heap object of 4096 bytes allocated at .*mismatched_free.c:@map \(main at mismatched_free.c:@free\)
// Expect-MUNMAP: mismatched deallocation: munmap of what malloc made
// Expect-SHARED: mismatched deallocation: free of what mmap made
// Expect-REALLOC: mismatched deallocation: free of what mmap made
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

enum { SIZE = 4096, MODE = PROT_READ | PROT_WRITE };

int main(void)
{
#if defined MUNMAP
    munmap(malloc(SIZE), SIZE);
#elif defined SHARED
    free(mmap(NULL, SIZE, MODE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
#elif defined REALLOC
    free(realloc(mmap(NULL, SIZE, MODE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 10));
#elif defined BOTH
    void *p = mmap(NULL, SIZE, MODE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    free(realloc(malloc(SIZE), 1));
    munmap(p, SIZE);
#else
    void *p = mmap(NULL, SIZE, MODE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // @map
    free(p);                                                              // @free
#endif
}
