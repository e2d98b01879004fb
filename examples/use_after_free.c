// A thread frees a message when it has set the flag "done", but the reader looks
// at the flag before it reads, not while.  Result: memory error.
// -DFIXED lets the reader free the message: correct.
// Expect: use after free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
    atomic_int text;
};

static struct message *message;
static atomic_int done;

static void *read_it(void *arg)
{
#ifdef FIXED
    (void)atomic_load(&message->text);
    free(message);
#else
    if (!atomic_load(&done))
        (void)atomic_load(&message->text);
#endif
    return arg;
}

int main(void)
{
    pthread_t reader;
    message = malloc(sizeof *message);
    if (!message)
        return 0;
    atomic_init(&message->text, 42);
    pthread_create(&reader, NULL, read_it, NULL);
    atomic_store(&done, 1);
#ifndef FIXED
    free(message);
#endif
    pthread_join(reader, NULL);
    return 0;
}
