/* segment_test.c - segments of the table of states, below the store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../store/segment.h"
#include "mix.h"

/* A fingerprint in one of the first two segments, or in the first one. */
static uint64_t of_two(uint64_t x)
{
    return mix(x) >> (STORE_SEGMENT_BITS - 1);
}

static uint64_t of_one(uint64_t x)
{
    return mix(x) >> STORE_SEGMENT_BITS;
}

/* It is said once before a segment grows that few slots are left, and that one is new. */
static void test_few_are_told(void **state)
{
    (void)state;
    struct store_budget budget = {0};
    struct store_segments all;
    store_reserve reserve = 0;
    unsigned told = 0, grown = 0;
    assert_true(store_segments_open(&all, 1, &budget));
    for (uint64_t x = 0; x < 200000;) {
        enum store_probe probe = store_segment_put(&all, 0, &reserve, of_one(x), 1, NULL);
        if (probe == STORE_PROBE_NO_ROOM) {
            assert_in_range(told, x > 1000, 1);
            told = 0;
            grown++;
            atomic_store(&all.heads[0], store_segment_grow(&all, 0));
            continue;
        }
        assert_int_not_equal(probe, STORE_PROBE_FOUND);
        told += probe == STORE_PROBE_NEW_OF_FEW;
        x++;
    }
    assert_in_range(grown, 10, 1000);
    store_segments_close(&all);
}

/* As a thread may do that was held up while another grew the segment and went on. */
static void test_ready_too_late(void **state)
{
    (void)state;
    struct store_budget budget = {0};
    struct store_segments all;
    store_reserve reserve[2] = {0};
    size_t old[2] = {0};
    assert_true(store_segments_open(&all, 1, &budget));
    for (uint64_t x = 0; x < 20000; x++) {
        uint64_t segment = store_segment_of(of_two(x));
        while (store_segment_put(&all, segment, &reserve[segment], of_two(x), 1, NULL) ==
               STORE_PROBE_NO_ROOM) {
            old[segment] = store_head(&all, segment);
            atomic_store(&all.heads[segment], store_segment_grow(&all, segment));
        }
    }
    for (size_t segment = 0; segment < 2; segment++) {
        size_t head = store_head(&all, segment);
        assert_true(old[segment] < head);
        atomic_store(&all.heads[segment], old[segment]);
        store_segment_make_ready(&all, segment);
        atomic_store(&all.heads[segment], head);
    }
    for (uint64_t x = 0; x < 20000; x++) {
        uint64_t print = of_two(x);
        assert_non_null(store_segment_find(&all, store_segment_of(print), print).group);
    }
    store_segments_close(&all);
}

static bool has_empty_slot(const struct store_group *group)
{
    for (unsigned i = 0; i < STORE_GROUP; i++)
        if (!atomic_load(&group->print[i]))
            return true;
    return false;
}

/* Of all groups, those that are noted as full; all that are so must be full, and if they are
 * exact, no other is.  Nothing is noted of another segment. */
static size_t count_noted(const struct store_segments *all, bool exact)
{
    size_t n = store_head(all, 0) >> STORE_HEAD_SHIFT, noted = 0;
    for (size_t g = 0; g < n; g++) {
        bool full = !has_empty_slot(store_group_at(all, 0, g)), is = store_is_full(all, 0, g);
        assert_true(exact ? is == full : !is || full);
        assert_false(store_is_full(all, 1, g));
        noted += is;
    }
    return noted;
}

/* After a segment has grown all full groups are noted, and no other until it grows again. */
static void test_full_ones_are_noted(void **state)
{
    (void)state;
    struct store_budget budget = {0};
    struct store_segments all;
    store_reserve reserve = 0;
    size_t after = 0, grown = 0;
    assert_true(store_segments_open(&all, 1, &budget));
    for (uint64_t x = 0; grown < 48;) {
        if (store_segment_put(&all, 0, &reserve, of_one(x), 1, NULL) != STORE_PROBE_NO_ROOM) {
            x++;
            continue;
        }
        assert_int_equal(count_noted(&all, false), after);
        atomic_store(&all.heads[0], store_segment_grow(&all, 0));
        after = count_noted(&all, true);
        grown++;
    }
    assert_in_range(after, 1, SIZE_MAX);
    assert_in_range(store_head(&all, 0) >> STORE_HEAD_SHIFT, 2 * STORE_FULL_ROWS * STORE_ROW,
                    SIZE_MAX);
    store_segments_close(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_are_told),
        cmocka_unit_test(test_ready_too_late),
        cmocka_unit_test(test_full_ones_are_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
