// An object of 16 bytes that is accessed by instructions, and by calls of a library's function
// by its name, is not modelled.  Result: refused. -DKNOWN stores by an instruction: correct.
// Options: --memory=c11
// Expect: atomic accesses by instructions and by calls to the same bytes: 16 bytes at head
// Expect-KNOWN: complete under C11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct head {
    long top, tag;
};
static _Atomic struct head head;

void store_by_name(void *, unsigned __int128, int) __asm__("__atomic_store_16");

static void *write(void *arg)
{
    struct head first = {1, 1}, second = {2, 2};
    atomic_store_explicit(&head, first, memory_order_relaxed);
#ifdef KNOWN
    atomic_store_explicit(&head, second, memory_order_release);
#else
    unsigned __int128 bits;
    memcpy(&bits, &second, sizeof bits);
    store_by_name(&head, bits, __ATOMIC_RELEASE);
#endif
    (void)second;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write, NULL);
    struct head found = atomic_load_explicit(&head, memory_order_relaxed);
    assert(found.top == found.tag);
    pthread_join(thread, NULL);
    return 0;
}
