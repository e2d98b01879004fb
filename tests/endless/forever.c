// A loop that does nothing, in the only thread.  Result: endless run.
// -DEXITS: another thread ends the process: correct.
// -DJUMPS goes back by longjmp: endless run.
// -DWRAPS ends when its counter is 0 again: correct.
// -DLONG takes a million rounds: correct.
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef EXITS
static void *leave(void *arg)
{
    (void)arg;
    exit(0);
}
#endif

int main(void)
{
#ifdef EXITS
    pthread_t thread;
    pthread_create(&thread, NULL, leave, NULL);
#endif
#ifdef JUMPS
    static jmp_buf place;
    setjmp(place);
    longjmp(place, 1);
#elif defined WRAPS
    uint8_t n = 0;
    do
        n += 3;
    while (n);
#elif defined LONG
    for (int i = 0; i < 1000000; i++)
        ;
#else
    for (;;)
        ;
#endif
}
