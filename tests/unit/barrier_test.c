/* barrier_test.c - workers meet many times: all have come, one is alone, all go on. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "checker/search/barrier.h"

enum { MOST = 8, ROUNDS = 20000 };

/* Nothing here is atomic: the barriers alone keep the accesses apart. */
static struct {
    struct barrier barrier;
    unsigned n, rounds, pause; /* microseconds that one of them is late */
    unsigned steps[MOST], together, alone, wrong;
} hall;

static void note_all(void)
{
    hall.together = 0;
    for (unsigned i = 0; i < hall.n; i++)
        hall.together += hall.steps[i];
    hall.wrong += hall.together != hall.n * (hall.alone + 1);
    hall.alone++;
}

static void *visit(void *arg)
{
    unsigned me = (unsigned)(uintptr_t)arg, wrong = 0;
    for (unsigned round = 0; round < hall.rounds; round++) {
        if (hall.pause && round % hall.n == me)
            usleep(hall.pause);
        hall.steps[me]++;
        if (barrier_is_last(&hall.barrier)) {
            note_all();
            barrier_open(&hall.barrier);
        }
        wrong += hall.together != hall.n * (round + 1) || hall.alone != round + 1;
        /* What was seen is not written again before all have seen it. */
        if (barrier_is_last(&hall.barrier))
            barrier_open(&hall.barrier);
    }
    return (void *)(uintptr_t)wrong;
}

static void meet(unsigned n, unsigned rounds, unsigned pause)
{
    pthread_t threads[MOST];
    hall = (__typeof__(hall)){.n = n, .rounds = rounds, .pause = pause};
    barrier_init(&hall.barrier, n);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, visit, (void *)(uintptr_t)i), 0);
    for (unsigned i = 0; i < n; i++) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    assert_int_equal(hall.alone, rounds);
    assert_int_equal(hall.wrong, 0);
    barrier_fini(&hall.barrier);
}

static void test_one_goes_on_at_once(void **state)
{
    (void)state;
    meet(1, ROUNDS, 0);
}

static void test_two(void **state)
{
    (void)state;
    meet(2, ROUNDS, 0);
}

static void test_more_than_there_are_processors(void **state)
{
    (void)state;
    meet(MOST, ROUNDS / 20, 0);
}

/* Those that wait have fallen asleep. */
static void test_one_is_late(void **state)
{
    (void)state;
    meet(3, 100, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_goes_on_at_once),
        cmocka_unit_test(test_two),
        cmocka_unit_test(test_more_than_there_are_processors),
        cmocka_unit_test(test_one_is_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
