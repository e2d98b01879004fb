// In which order threads were made is no part of a state, so what they have accessed since they
// last stopped must not be kept in that order: here one that is made late has the lower number,
// or not.  The accesses make no more states than there are with -DQUIET (run.py --pass alike).
// Result: correct. -DQUIET: correct.
#include <pthread.h>
#include <stdatomic.h>

#ifdef QUIET
#define SET(variable, value) (void)0
#else
#define SET(variable, value) variable = value
#endif

static int a, b;
static atomic_int x, y;

static void *nothing(void *arg)
{
    x++;
    return arg;
}

static void *set_a(void *arg)
{
    SET(a, 1);
    x++;
    SET(a, 2);
    y++;
    return arg;
}

static void *set_b(void *arg)
{
    SET(b, 1);
    x++;
    SET(b, 2);
    y++;
    return arg;
}

static void *make_one(void *arg)
{
    pthread_t made;
    y++;
    pthread_create(&made, NULL, set_b, NULL);
    x++;
    pthread_join(made, NULL);
    return arg;
}

int main(void)
{
    pthread_t maker, thread;
    pthread_create(&maker, NULL, make_one, NULL);
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, set_a, NULL);
    pthread_join(thread, NULL);
    pthread_join(maker, NULL);
    return 0;
}
