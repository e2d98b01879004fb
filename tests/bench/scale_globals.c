// Two threads count in an atomic, beside BYTES of global variables: one array, with -DWRITE
// one of which each thread writes a single element at each of its STEPS, with -DSMALL many
// variables of 256 bytes.  Result: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BYTES
#define BYTES 1024
#endif
#ifndef STEPS
#define STEPS 10
#endif

static atomic_int counter;

#ifdef SMALL
enum { EACH = 256 };
#define V4(n) V(n##0) V(n##1) V(n##2) V(n##3)
#define V16(n) V4(n##0) V4(n##1) V4(n##2) V4(n##3)
#define V64(n) V16(n##0) V16(n##1) V16(n##2) V16(n##3)
#define V256(n) V64(n##0) V64(n##1) V64(n##2) V64(n##3)
#define V1024(n) V256(n##0) V256(n##1) V256(n##2) V256(n##3)
#if BYTES >= 1 << 20
#define ALL V1024(_0) V1024(_1) V1024(_2) V1024(_3)
#else
#define ALL V4(_)
#endif
#define V(n) char g##n[EACH];
ALL
#undef V

static int sum(void)
{
    int x = 0;
#define V(n) x += g##n[0];
    ALL
    return x;
}

static void change(int thread, int step)
{
    (void)thread;
    (void)step;
}
#else
static char array[BYTES];

static int sum(void)
{
    int x = 0;
    for (int k = 0; k < BYTES; k += BYTES / 8)
        x += array[k];
    return x;
}

static void change(int thread, int step)
{
#ifdef WRITE
    array[(2 * step + thread) * 61 % BYTES]++;
#else
    (void)thread;
    (void)step;
#endif
}
#endif

static void *work(void *arg)
{
    int thread = arg != NULL;
    for (int s = 0; s < STEPS; s++) {
        change(thread, s);
        atomic_fetch_add(&counter, 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int before = sum();
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, work, k ? &counter : NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    assert(counter == 2 * STEPS);
    return before && sum() < 0;
}
