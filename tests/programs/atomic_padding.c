// Result: correct.
// Structures with padding, which nobody sets, are exchanged atomically: it is the same where it
// was copied, and does not matter where something else differs.
// -DUNSET compares with a member that was never set: undefined value.
// -DNOTHING compares what was never set with itself: undefined value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct small {
    char tag, end;
    int count;
};
struct large {
    char tag, end;
    long count;
};
struct odd {
    char tag;
    long count;
    char end;
};

static _Atomic struct small *small;
static _Atomic struct large *large;
static _Atomic struct odd *odd;

#define ADD(type, object)                                              \
    {                                                                  \
        struct type old = atomic_load(object), next;                   \
        do {                                                           \
            next = old;                                                \
            next.count++;                                              \
        } while (!atomic_compare_exchange_strong(object, &old, next)); \
    }

#define MAKE(type, object)                                              \
    {                                                                   \
        struct type first, other;                                       \
        object = malloc(sizeof *object);                                \
        first.tag = other.tag = first.end = other.end = 1;              \
        first.count = 0;                                                \
        other.count = 5;                                                \
        atomic_init(object, first);                                     \
        assert(!atomic_compare_exchange_strong(object, &other, first)); \
        assert(other.tag == 1 && other.count == 0);                     \
    }

static void *add(void *p)
{
    ADD(small, small)
    ADD(large, large)
    ADD(odd, odd)
    return p;
}

int main(void)
{
    pthread_t thread;
    MAKE(small, small)
    MAKE(large, large)
    MAKE(odd, odd)
#ifdef UNSET
    struct small unset, *late = malloc(sizeof *late);
    late->tag = late->end = 1;
    unset = *late;
    return atomic_compare_exchange_strong(small, late, unset);
#endif
#ifdef NOTHING
    atomic_int *count = malloc(sizeof *count);
    int old = atomic_load(count);
    return atomic_compare_exchange_strong(count, &old, 1);
#endif
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    struct small a = atomic_load(small);
    struct large b = atomic_load(large);
    struct odd c = atomic_load(odd);
    assert(a.count == 2 && b.count == 2 && c.count == 2);
    free((void *)small);
    free((void *)large);
    free((void *)odd);
    return 0;
}
