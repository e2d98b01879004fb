// Each of N threads stores its flag and reads the next one's: all may read 0, while their
// stores wait in their buffers.  Result: assertion violation. -DFENCED with each of what
// empties a buffer: correct. -DLIGHT with lfence and sfence, which do not: assertion violation.
// -DVOLATILE variables are no better: assertion violation.
// Options: --memory=tso
// Expect: though thread [234] stored
// Expect-FENCED: complete under x86-TSO$
#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { N = 3 };
enum { FENCE, ASSEMBLY, LOCKED, STORE, FENCES };
#ifdef VOLATILE
static volatile int flag[N];
#define STORE(x, order) (x) = 1
#define LOAD(x) (x)
#else
static atomic_int flag[N];
#define STORE(x, order) atomic_store_explicit(&(x), 1, order)
#define LOAD(x) atomic_load_explicit(&(x), memory_order_acquire)
#endif
static int seen[N], with;

static void fence(void)
{
#ifdef LIGHT
    __asm__ volatile("lfence" ::: "memory");
    __builtin_ia32_sfence();
#elif defined FENCED
    atomic_int own = 0;
    if (with == FENCE)
        atomic_thread_fence(memory_order_seq_cst);
    else if (with == ASSEMBLY)
        __asm__ volatile("mfence" ::: "memory");
    else if (with == LOCKED)
        atomic_fetch_add_explicit(&own, 1, memory_order_relaxed);
#endif
}

static void *body(void *arg)
{
    int me = (int)(intptr_t)arg;
    if (with == STORE)
        STORE(flag[me], memory_order_seq_cst);
    else
        STORE(flag[me], memory_order_release);
    fence();
    seen[me] = LOAD(flag[(me + 1) % N]);
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
#ifdef FENCED
    with = divm_choose(FENCES);
#endif
    for (int k = 0; k < N; k++)
        pthread_create(&thread[k], NULL, body, (void *)(intptr_t)k);
    for (int k = 0; k < N; k++)
        pthread_join(thread[k], NULL);
    assert(seen[0] || seen[1] || seen[2]);
    return 0;
}
