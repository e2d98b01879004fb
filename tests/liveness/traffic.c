// Two traffic lights: a controller gives green in turns, and cars go when they have it.
// Result: correct.  -DEAGER gives green to the north as long as a car is there: formula
// violated.
// Options: --fair --endless=allow --ltl='G !(north && south)' --ltl='G(cars -> F south)'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int north, south, cars, passed;

static void *drive(void *arg)
{
    for (;;) {
        cars = 1;
        while (!south)
            ;
        cars = 0;
        passed = 1;
        while (south)
            ;
        passed = 0;
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, drive, NULL);
    for (;;) {
        north = 1;
        north = 0;
#ifdef EAGER
        if (cars)
            continue;
#endif
        south = 1;
        while (cars)
            ;
        south = 0;
    }
}
