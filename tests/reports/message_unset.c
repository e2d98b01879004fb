// A message has a length only if it carries text, but the receiver looks at it always.
// Result: undefined value.
// Learned: m->length was never set, and where the message was made.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum kind { PING, TEXT };

struct message {
    enum kind kind;
    unsigned length;
    char text[16];
};

static struct message *_Atomic box;

static void send_message(enum kind kind)
{
    struct message *m = malloc(sizeof *m);
    if (!m)
        exit(0);
    m->kind = kind;
    if (kind == TEXT) {
        m->length = 2;
        m->text[0] = 'h';
        m->text[1] = 'i';
    }
    free(atomic_exchange(&box, m));
}

static void *sender(void *arg)
{
    send_message(arg ? TEXT : PING);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, sender, &a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct message *m = atomic_load(&box);
    int status = m->length > sizeof m->text;
    free(m);
    return status;
}
