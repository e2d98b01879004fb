// Two threads come to the same number by a pointer that is nowhere in one piece: in a
// packed structure, at an odd place in a buffer, as two halves, or encoded.  They use
// a lock.  Result: correct.
// -DPACKED, without the lock: data race.
// -DODD, without it: data race.
// -DHALVES, without it: data race.
// -DENCODED, without it: data race.
// -DTEXT, without it: data race.
// -DARGUMENT, without it: data race.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY 0x5555555555555555ull

static struct __attribute__((packed)) {
    char before;
    int *p;
} packed;
static char odd[16], text[32];
static uint32_t half[4];
static uintptr_t encoded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void hide(int *p)
{
    packed.p = p;
    memcpy(odd + 3, &p, sizeof p);
    half[0] = (uint32_t)(uintptr_t)p;
    half[3] = (uint32_t)((uintptr_t)p >> 32);
    encoded = (uintptr_t)p ^ KEY;
#ifdef TEXT
    snprintf(text, sizeof text, "%p", (void *)p);
#endif
}

static int *find(void *arg)
{
    int *p = packed.p;
#ifdef ODD
    memcpy(&p, odd + 3, sizeof p);
#elif defined HALVES
    p = (int *)((uintptr_t)half[3] << 32 | half[0]);
#elif defined ENCODED
    p = (int *)(encoded ^ KEY);
#elif defined TEXT
    void *q;
    sscanf(text, "%p", &q);
    p = q;
#elif defined ARGUMENT
    p = (int *)((uintptr_t)arg ^ KEY);
#endif
    (void)arg;
    return p;
}

static void *count(void *arg)
{
    int *p = find(arg);
#if defined PACKED || defined ODD || defined HALVES || defined ENCODED || defined TEXT || \
    defined ARGUMENT
    ++*p;
#else
    pthread_mutex_lock(&lock);
    ++*p;
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void)
{
    int *p = malloc(sizeof *p);
    pthread_t thread;
    if (!p)
        return 0;
    *p = 0;
    hide(p);
    pthread_create(&thread, NULL, count, (void *)((uintptr_t)p ^ KEY));
    count((void *)((uintptr_t)p ^ KEY));
    pthread_join(thread, NULL);
    free(p);
    return 0;
}
