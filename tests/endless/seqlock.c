// A reader that tries again while the sequence is odd or has changed.  Result: correct.
// -DLEFT has the writer stop in the middle, if the reader has not read yet: endless run.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence, value, seen;

static void *write_value(void *arg)
{
    sequence++;
    value = 1;
#ifdef LEFT
    if (!seen)
        return arg;
#endif
    sequence++;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write_value, NULL);
    unsigned before;
    do {
        before = sequence;
        (void)value;
    } while (before % 2 || sequence != before);
    seen = 1;
    pthread_join(thread, NULL);
}
