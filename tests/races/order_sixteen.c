// An object of 16 bytes that some accesses reach by instructions, and others by calls, where
// the processor may lack the instruction.  Result: correct. -DRELAXED passes nothing on: data
// race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct head {
    long top, tag;
};
static _Atomic struct head head;
static int data;

static void *write(void *arg)
{
    struct head h = {1, 1}, g = {2, 2};
    atomic_store_explicit(&head, h, memory_order_relaxed);
    data = 1;
#ifdef RELAXED
    atomic_store_explicit(&head, g, memory_order_relaxed);
#else
    head = g;
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write, NULL);
    struct head h = atomic_load_explicit(&head, memory_order_relaxed);
    if (h.top == 1)
        h = head;
    else
        h = atomic_load_explicit(&head, memory_order_acquire);
    if (h.top == 2)
        assert(data == 1);
    pthread_join(thread, NULL);
    return 0;
}
