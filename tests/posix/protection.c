// Protections of mmap and mprotect: pages that may be read, written, both, or not be accessed.
//
// Result: correct.
// -DCASE=1..24: memory error.
// Expect-CASE=1: write of memory that may not be written: heap object of 8192 bytes allocated at .*:@only_read, mapped so by main at protection.c:@only_read \(main at protection.c:@write\)
// Expect-CASE=2: read of memory that may not be accessed: byte 8 of heap object of 8192 bytes allocated at .*:@none, mapped so by main at protection.c:@none
// Expect-CASE=3: access of protected memory: write of memory that may not be accessed
// Expect-CASE=13: write of memory that may not be written: byte 4096 of heap object of 8192 bytes .*, protected by main at protection.c:@second
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CASE
#define CASE 0
#endif
enum { PAGE = 4096, SIZE = 2 * PAGE, ANY = MAP_PRIVATE | MAP_ANONYMOUS };
enum { BOTH = PROT_READ | PROT_WRITE };

struct large {
    long at[100];
};

static char *overflow(char *at, int n)
{
    for (int k = 0; k < n; k++)
        at[k] = (char)k;
    return at;
}

/* A large reserve of which parts are used, as allocators have it. */
static void reserve(void)
{
    char *all = mmap(NULL, 64 * PAGE, PROT_NONE, ANY, -1, 0);
    assert(all != MAP_FAILED && mprotect(all + 3 * PAGE, 2 * PAGE, BOTH) == 0);
    for (int k = 0; k < 2 * PAGE; k++)
        assert(all[3 * PAGE + k] == 0);
    overflow(all + 3 * PAGE, 2 * PAGE);
    assert(mprotect(all + 3 * PAGE, PAGE, PROT_NONE) == 0 && all[4 * PAGE + 5] == 5);
    assert(mprotect(all + 3 * PAGE, PAGE, BOTH) == 0 && all[3 * PAGE + 5] == 5);
    assert(munmap(all, 64 * PAGE) == 0);
}

/* Written or executed, never both. */
static void toggle(void)
{
    char *code = mmap(NULL, SIZE, BOTH, ANY, -1, 0);
    for (int k = 0; k < 3; k++) {
        assert(mprotect(code, SIZE, BOTH) == 0);
        memset(code, k, SIZE);
        assert(mprotect(code, SIZE, PROT_READ | PROT_EXEC) == 0);
        assert(code[0] == k && code[SIZE - 1] == k);
    }
    assert(munmap(code, SIZE) == 0);
}

static void file(void)
{
    int fd = open("f", O_RDWR | O_CREAT, 0600);
    assert(write(fd, "text", 4) == 4);
    const char *text = mmap(NULL, 4, PROT_READ, MAP_PRIVATE, fd, 0);
    assert(text != MAP_FAILED && !strcmp(text, "text") && text[PAGE - 1] == 0);
    assert(munmap((void *)text, 4) == 0 && close(fd) == 0 && unlink("f") == 0);
}

static void arguments(void)
{
    char *p = mmap(NULL, SIZE, PROT_WRITE, ANY, -1, 0);
    p[0] = 1; /* what can be written can be read */
    assert(p[0] == 1 && mprotect(p, 0, PROT_NONE) == 0 && p[0] == 1);
    assert(mprotect(p + 1, 1, BOTH) == -1);
    assert(mprotect(p, SIZE, 64) == -1 && mprotect(p + PAGE, 1, PROT_READ) == 0);
    assert(mremap(p, SIZE, 2 * SIZE, MREMAP_MAYMOVE) == MAP_FAILED); /* not protected alike */
    p[0] = p[PAGE] + 1;
    assert(munmap(p, SIZE) == 0);
}

static void child(char *p)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        assert(p[0] == 1 && p[PAGE] == 2);
        if (CASE == 14)
            p[PAGE] = 3;
        assert(mprotect(p + PAGE, PAGE, BOTH) == 0);
        p[PAGE] = 3;
        _exit(0);
    }
    assert(waitpid(pid, &status, 0) == pid && p[PAGE] == 2);
}

int main(void)
{
    jmp_buf here;
    struct large large = {{0}};
    char buffer[16] = "text";
    reserve();
    toggle();
    file();
    arguments();
    char *r = mmap(NULL, SIZE, PROT_READ, ANY, -1, 0); // @only_read
    char *n = mmap(NULL, SIZE, PROT_NONE, ANY, -1, 0); // @none
    char *s = mmap(NULL, SIZE, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *p = mmap(NULL, SIZE, BOTH, ANY, -1, 0);
    p[0] = 1, p[PAGE] = 2;
    assert(mprotect(p + PAGE, PAGE, PROT_READ) == 0); // @second
    assert(r[5] == 0 && s[PAGE] == 0 && p[PAGE] == 2);
#if CASE != 12
    child(p);
#endif
    int fd = open("g", O_RDWR | O_CREAT, 0600);
    assert(write(fd, r, 4) == 4 && lseek(fd, 0, SEEK_SET) == 0);
    switch (CASE) {
    case 1: *r = 1; break; // @write
    case 2: buffer[0] = n[8]; break;
    case 3: n[9] = 1; break;
    case 4: atomic_store((atomic_int *)(void *)r, 1); break;
    case 5: {
        int other = 7;
        atomic_compare_exchange_strong((atomic_int *)(void *)r, &other, 1);
        break;
    }
    case 6: atomic_fetch_add((atomic_long *)(void *)s, 0); break;
    case 7: memcpy(r, buffer, sizeof buffer); break;
    case 8: memcpy(buffer, n, sizeof buffer); break;
    case 9: memset(p + PAGE - 1, 0, 2); break;
    case 10: buffer[0] = (char)atomic_load((atomic_int *)(void *)(n + 4)); break;
    case 11: overflow(p, SIZE); break;
    case 12: *(volatile int *)(p + PAGE) = 0; break;
    case 13: p[PAGE] = 3; break;
    case 15:
        p = mremap(r, SIZE, 4 * PAGE, MREMAP_MAYMOVE);
        assert(p[3 * PAGE] == 0);
        p[0] = 1;
        break;
    case 16: sprintf(r, "%d", 12345); break;
    case 17: *(struct large *)(void *)r = large; break;
    case 18: *(long double *)(void *)r = 1; break;
    case 19: pthread_mutex_lock((pthread_mutex_t *)(void *)r); break;
    case 20: buffer[0] = (char)(setjmp(*(jmp_buf *)(void *)r) + setjmp(here)); break;
    case 21: read(fd, r, 4); break;  // on a machine EFAULT
    case 22: write(fd, n, 4); break; // likewise
    case 23: puts(n); break;
    case 24: buffer[0] = *(char *)memchr(p, 2, SIZE), mprotect(p, SIZE, 0), buffer[0] += *p;
    }
    assert(close(fd) == 0 && unlink("g") == 0);
    assert(munmap(r, SIZE) == 0 && munmap(n, SIZE) == 0 && munmap(p, SIZE) == 0);
    return munmap(s, SIZE) + (buffer[0] == 99);
}
