// Whose local variable an old object is, is a part of the state: with whom it ends.  There are
// many objects when the second thread begins, so that all of them are old, and the variable is
// large.
// Result: correct.
// -DENDED has it made by the inner of two calls as well, and used after that: memory error.
#include <alloca.h>
#include <divm.h>
#include <pthread.h>
#include <stdlib.h>

enum { MANY = 300, LARGE = 16 };

static void *many[MANY];
static long *variable;
static int maker;
static volatile int turns;

static void *turn(void *arg)
{
    turns = 1;
    return arg;
}

static void run(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, turn, NULL);
    pthread_join(thread, NULL);
}

static void make(int depth)
{
    if (depth == maker) {
        maker = 0;
        variable = alloca(LARGE * sizeof *variable);
        for (int k = 0; k < LARGE; k++)
            variable[k] = 0;
    }
    if (depth == 2)
        run();
    else
        make(depth + 1);
    if (depth == 1)
        variable[LARGE - 1]++;
}

int main(void)
{
    for (int k = 0; k < MANY; k++)
        many[k] = malloc(1);
#ifdef ENDED
    maker = divm_choose(2) + 1;
#else
    maker = 1;
#endif
    make(1);
    for (int k = 0; k < MANY; k++)
        free(many[k]);
    return 0;
}
