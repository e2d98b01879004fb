// Parts of mappings are given back, and replaced, by pages, as allocators do it.
//
// Result: correct.
// -DCASE=1..4: memory error.
// -DCASE=5: data race.
// -DCASE=6..9: refused.
// Expect-CASE=1: use after free: read after munmap: byte 4096 of heap object of 16384 bytes allocated at .*, given back by main at mapped_parts.c:@middle
// Expect-CASE=4: race of free and use: part at mapped_parts.c:@part \(munmap of .*\) and use at mapped_parts.c:@use \(read\)
// Expect-CASE=6: mmap: MAP_FIXED is supported within a private mapping only, for anonymous memory
// Expect-CASE=8: munmap of more than one mapping at once is not supported
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifndef CASE
#define CASE 0
#endif
enum { PAGE = 4096, ANY = MAP_PRIVATE | MAP_ANONYMOUS, BOTH = PROT_READ | PROT_WRITE };

static char *shared;
static sem_t told;

static char *map(size_t size, int protection)
{
    char *p = mmap(NULL, size, protection, ANY, -1, 0);
    assert(p != MAP_FAILED);
    return p;
}

/* Memory that begins at a multiple of its size: the ends of more are given back. */
static void aligned(size_t size)
{
    char *all = map(2 * size, BOTH), *p = (char *)(((uintptr_t)all + size - 1) & -size);
    if (p > all)
        assert(munmap(all, (size_t)(p - all)) == 0);
    assert(munmap(p + size, (size_t)(all + size - p)) == 0);
    p[0] = p[size - 1] = 1;
    assert(munmap(p, size) == 0);
}

static void reserve(void)
{
    char *all = map(8 * PAGE, PROT_NONE);
    char *p = mmap(all + PAGE, PAGE, BOTH, ANY | MAP_FIXED, -1, 0);
    assert(p == all + PAGE && p[0] == 0);
    p[0] = 1;
    p = mmap(all + PAGE, 2 * PAGE, BOTH, ANY | MAP_FIXED, -1, 0);
    assert(p[0] == 0 && p[PAGE] == 0);
    assert(mmap(p, PAGE, PROT_NONE, ANY | MAP_FIXED, -1, 0) == p && p[PAGE] == 0);
    assert(munmap(all, 8 * PAGE) == 0);
}

static void *part(void *arg)
{
#if CASE == 4
    sem_wait(&told);
#endif
    if (CASE == 5)
        assert(mmap(shared, PAGE, BOTH, ANY | MAP_FIXED, -1, 0) == shared);
    else
        munmap(shared, PAGE); // @part
    return arg;
}

static int use(void)
{
    sem_post(&told);
    return *shared; // @use
}

int main(void)
{
    pthread_t t;
    char *p = map(4 * PAGE, BOTH), *q = malloc(PAGE);
    char *s = mmap(NULL, 2 * PAGE, BOTH, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    aligned(16 * PAGE);
    reserve();
    p[3 * PAGE] = 1;
    assert(munmap(p + PAGE, PAGE) == 0 && munmap(p + PAGE, 1) == 0); // @middle
    assert(mprotect(p, 2 * PAGE, BOTH) == -1 && munmap(p + 1, PAGE) == -1);
    assert(mremap(p, 4 * PAGE, 8 * PAGE, MREMAP_MAYMOVE) == MAP_FAILED);
    shared = p;
    sem_init(&told, 0, 0);
    switch (CASE) {
    case 1: p[0] = p[PAGE]; break;
    case 2: p[PAGE + 8] = 1; break;
    case 3:
        assert(munmap(p, PAGE) == 0 && munmap(p + 2 * PAGE, 2 * PAGE) == 0);
        p[0] = 1;
        break;
    case 4:
    case 5:
        pthread_create(&t, NULL, part, NULL);
        q[1] = (char)use();
        pthread_join(t, NULL);
        break;
    case 6: mmap(s, PAGE, BOTH, ANY | MAP_FIXED, -1, 0); break;
    case 7: mmap(q, PAGE, BOTH, ANY | MAP_FIXED, -1, 0); break;
    case 8: munmap(p, 5 * PAGE); break;
    case 9: mmap(p, PAGE, BOTH, ANY | MAP_FIXED_NOREPLACE, -1, 0); break;
    }
    assert(p[3 * PAGE] == 1 && munmap(p + 2 * PAGE, 2 * PAGE) == 0);
    if (CASE != 4)
        assert(munmap(p, PAGE) == 0);
    free(q);
    return munmap(s + PAGE, PAGE) + munmap(s, PAGE);
}
