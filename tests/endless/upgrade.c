// Two readers want to become the writer, each when no other reader is left: both wait.
// Result: endless run.
// -DFIRST lets the first one that asks wait, and the other one leaves and comes back: correct.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int readers, asked, written;

static void write_alone(void)
{
    while (readers != 1)
        ;
    written++;
    readers--;
}

static void *work(void *arg)
{
    readers++;
#ifdef FIRST
    int none = 0;
    while (!atomic_compare_exchange_strong(&asked, &none, 1)) {
        none = 0;
        readers--;
        while (asked)
            ;
        readers++;
    }
#endif
    write_alone();
    asked = 0;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return written != 2;
}
