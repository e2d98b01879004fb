// A generator goes through 255 numbers until it comes to one that another thread waits for:
// that looks endless, and is not.  Result: correct.
// -DSHORT: its numbers come again after 21, and the one is none of them: endless run.
#include <pthread.h>
#include <stdatomic.h>

#ifdef SHORT
#define TAPS 0xa5
#else
#define TAPS 0xb8
#endif

static atomic_uchar number = 1;
static atomic_int found;

static void *generate(void *arg)
{
    while (!found) {
        unsigned char n = number;
        number = (unsigned char)(n >> 1 ^ (n & 1 ? TAPS : 0));
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, generate, NULL);
    while (number != 0x71)
        ;
    found = 1;
    pthread_join(thread, NULL);
}
