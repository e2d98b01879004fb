// States that differ in protections only are different states, whoever made the memory.
//
// Result: correct.
// -DBUG writes what may have become for reading only: memory error.
// -DLATER does so where nothing else tells any more whether it has: memory error.
// Expect-LATER: write of memory that may not be written: heap object of 8192 bytes .*, protected by main at protections.c:@choice
#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

enum { PAGE = 4096, SIZE = 2 * PAGE, BOTH = PROT_READ | PROT_WRITE };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *made[2];
static int count;

static char *map(void)
{
    return mmap(NULL, SIZE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void *work(void *arg)
{
    char *mine = map();
    pthread_mutex_lock(&mutex);
    made[count++] = mine;
    pthread_mutex_unlock(&mutex);
    for (int k = 0; k < 2; k++)
        mprotect(mine + PAGE * divm_choose(2), PAGE, divm_choose(2) ? PROT_READ : BOTH);
    pthread_mutex_lock(&mutex);
    assert(made[0][PAGE] == 0);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *lock(void *arg)
{
    for (int k = 0; k < 3; k++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];
#ifdef LATER
    char *p = map();
    pthread_create(t, NULL, lock, NULL);
    if (divm_choose(2))
        mprotect(p, PAGE, PROT_READ); // @choice
    lock(NULL);
    p[0] = 1;
    pthread_join(t[0], NULL);
    return munmap(p, SIZE);
#endif
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, work, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
#ifdef BUG
    made[1][PAGE] = 1;
#endif
    (void)lock;
    return munmap(made[0], SIZE) + munmap(made[1], SIZE);
}
