// Protections that change while other threads access the memory.  What would be wrong after a
// change, and comes before it though nothing orders the two, is an error as well.
//
// Result: correct.
// -DCASE=1..3: correct.
// -DCASE=10..23: memory error.
// Expect-CASE=10: race of a protection and an access: change at protection.c:@after_post \(mprotect of .*\) and other at protection.c:@read_late \(read\)
// Expect-CASE=12: race of a protection and an access: change at protection.c:@after_write \(mprotect of .*\) and other at protection.c:@write_late \(write\)
// Expect-CASE=16: read of memory that may not be accessed: heap object of 4096 bytes allocated at .*, protected by other at protection.c:@taken
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#ifndef CASE
#define CASE 0
#endif
enum { PAGE = 4096, BOTH = PROT_READ | PROT_WRITE };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t told;
static int *p;

static void *other(void *arg)
{
    volatile int value = 0;
    char text[8];
    switch (CASE) {
    case 0: /* all under a lock */
        pthread_mutex_lock(&mutex);
        value = p[0];
        mprotect(p, PAGE, BOTH);
        p[0] = value + 1;
        mprotect(p, PAGE, PROT_READ);
        pthread_mutex_unlock(&mutex);
        break;
    case 1: value = p[0]; break; /* it can be read all the time */
    case 2: value = atomic_load((atomic_int *)p); break;
    case 3: mprotect(p, PAGE, BOTH); break; /* and is joined */
    case 10:
        sem_post(&told);
        value = p[0]; // @read_late
        break;
    case 11: value = p[0]; break;
    case 12:
        sem_post(&told);
        p[0] = 1; // @write_late
        break;
    case 13: atomic_store((atomic_int *)p, 1); break;
    case 14: value = atomic_load((atomic_int *)p); break;
    case 15: value = p[0]; break;
    case 16: mprotect(p, PAGE, PROT_NONE); break; // @taken
    case 17: mprotect(p, PAGE, BOTH); break;
    case 18: p[0] = 1; break;
    case 19: memcpy(text, p, sizeof text); break;
    case 20:
        sem_post(&told);
        memset(p, 0, 5000);
        break;
    case 21: atomic_compare_exchange_strong((atomic_int *)p, &(int){7}, 8); break;
    case 22: pthread_mutex_lock((pthread_mutex_t *)p); break;
    case 23:
        sem_wait(&told);
        value = p[0];
        break;
    }
    return arg;
}

static void change(void)
{
    switch (CASE) {
    case 0:
        pthread_mutex_lock(&mutex);
        assert(p[0] == 0 || p[0] == 1);
        mprotect(p, PAGE, PROT_NONE);
        mprotect(p, PAGE, PROT_READ);
        pthread_mutex_unlock(&mutex);
        break;
    case 1:
    case 2:
        mprotect(p, PAGE, PROT_READ);
        mprotect(p, PAGE, BOTH);
        mprotect(p, PAGE, PROT_READ);
        break;
    case 10:
        sem_wait(&told);
        mprotect(p, PAGE, PROT_NONE); // @after_post
        break;
    case 12:
        sem_wait(&told);
        mprotect(p, PAGE, PROT_READ); // @after_write
        break;
    case 11:
    case 14:
    case 19: mprotect(p, PAGE, PROT_NONE); break;
    case 13:
    case 17:
    case 21:
    case 22: mprotect(p, PAGE, PROT_READ); break;
    case 15: mprotect(p, PAGE, BOTH); break;
    case 18: /* for a while */
        mprotect(p, PAGE, PROT_READ);
        mprotect(p, PAGE, BOTH);
        break;
    case 20:
        sem_wait(&told);
        mprotect(p + PAGE / sizeof *p, PAGE, PROT_READ);
        break;
    case 23:
        sem_post(&told);
        mprotect(p, PAGE, BOTH);
        break;
    }
}

int main(void)
{
    pthread_t t;
    int first = CASE == 0                               ? PROT_READ
                : CASE == 3 || CASE == 15 || CASE == 23 ? PROT_NONE
                                                        : BOTH;
    size_t size = CASE == 20 ? 2 * PAGE : PAGE;
    p = mmap(NULL, size, first, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sem_init(&told, 0, 0);
    pthread_create(&t, NULL, other, NULL);
    change();
    pthread_join(t, NULL);
    if (CASE == 3 || CASE == 16)
        assert(p[0] == 0);
    if (CASE == 17)
        p[0] = 1;
    return munmap(p, size);
}
