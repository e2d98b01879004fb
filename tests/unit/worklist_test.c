/* worklist_test.c - several workers take all chunks of a level, each of them once. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "checker/search/barrier.h"
#include "checker/search/worklist.h"

enum { MOST = 4, ROUNDS = 300, CHUNKS = 40 };

static struct {
    unsigned n;
    struct barrier barrier;
    struct worklist worklists[MOST];
    _Atomic unsigned taken[MOST][CHUNKS], strange;
} hall;

/* A chunk whose only task tells where it comes from.  There is no state. */
static void fill(unsigned worker, size_t n)
{
    struct queue queue;
    queue_init(&queue);
    queue.full = 1;
    for (size_t k = 0; k < n; k++)
        queue_push(&queue, (struct task){.id = worker * CHUNKS + k});
    worklist_clear(&hall.worklists[worker]);
    worklist_fill(&hall.worklists[worker], &queue);
    queue_fini(&queue);
}

static void note(struct chunk *chunk)
{
    size_t id = chunk->tasks[0].id;
    hall.strange += chunk->n != 1 || id >= MOST * CHUNKS;
    hall.taken[id / CHUNKS][id % CHUNKS]++;
    free(chunk);
}

static unsigned take_all(unsigned me)
{
    unsigned n = 0;
    struct chunk *chunk;
    for (; (chunk = worklist_take_front(&hall.worklists[me])); n++)
        note(chunk);
    for (unsigned k = 1; k < hall.n; k++) {
        struct worklist *worklist = &hall.worklists[(me + k) % hall.n];
        size_t rest = worklist->n;
        for (; (chunk = worklist_take_back(worklist, &rest)); n++)
            note(chunk);
    }
    return n;
}

static void *work(void *arg)
{
    unsigned me = (unsigned)(uintptr_t)arg;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill(me, (round + me) % hall.n ? 3 : CHUNKS);
        if (barrier_is_last(&hall.barrier))
            barrier_open(&hall.barrier);
        take_all(me);
        if (barrier_is_last(&hall.barrier))
            barrier_open(&hall.barrier);
    }
    return NULL;
}

static void work_together(unsigned n)
{
    pthread_t threads[MOST];
    hall.n = n;
    hall.strange = 0;
    barrier_init(&hall.barrier, n);
    for (unsigned i = 0; i < n; i++) {
        worklist_init(&hall.worklists[i]);
        for (unsigned k = 0; k < CHUNKS; k++)
            hall.taken[i][k] = 0;
    }
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i), 0);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(hall.strange, 0);
    for (unsigned i = 0; i < n; i++) {
        unsigned all = 0; /* rounds in which it had all chunks, and not just three */
        for (unsigned round = 0; round < ROUNDS; round++)
            all += (round + i) % n == 0;
        for (unsigned k = 0; k < CHUNKS; k++)
            assert_int_equal(hall.taken[i][k], k < 3 ? ROUNDS : all);
        worklist_fini(&hall.worklists[i]);
    }
    barrier_fini(&hall.barrier);
}

static void test_two(void **state)
{
    (void)state;
    work_together(2);
}

static void test_many(void **state)
{
    (void)state;
    work_together(MOST);
}

/* From the front what was found last, from behind what was found first; and nothing twice. */
static void test_order(void **state)
{
    (void)state;
    size_t rest = 4, seen[4], n = 0;
    worklist_init(&hall.worklists[0]);
    fill(0, 4);
    assert_int_equal(hall.worklists[0].n, 4);
    assert_int_equal(hall.worklists[0].states, 4);
    struct chunk *chunk;
    while ((chunk = n % 2 ? worklist_take_back(&hall.worklists[0], &rest)
                          : worklist_take_front(&hall.worklists[0]))) {
        seen[n++] = chunk->tasks[0].id;
        free(chunk);
    }
    assert_int_equal(n, 4);
    for (size_t k = 0; k < n; k++)
        assert_int_equal(seen[k], ((size_t[]){3, 0, 2, 1})[k]);
    assert_null(worklist_take_front(&hall.worklists[0]));
    assert_null(worklist_take_back(&hall.worklists[0], &rest));
    worklist_fini(&hall.worklists[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_two),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
