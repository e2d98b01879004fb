/* store_save_test.c - the set of visited states as bytes, and read again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "stored.h"

static bool write_some(void *context, void *bytes, size_t n)
{
    return fwrite(bytes, 1, n, context) == n;
}

static bool read_some(void *context, void *bytes, size_t n)
{
    return fread(bytes, 1, n, context) == n;
}

/* All is there again, also the level, by which links of it may still become lower. */
static void save_and_load(unsigned users, uint64_t states)
{
    struct store *store = open_store(users, 0);
    struct store_user *user = store_user(store, users - 1);
    uint64_t odd = 0x9e3779b97f4a7c15;
    for (uint64_t k = 1; k <= states; k++) {
        if (k == states / 2)
            store_next_level(store);
        put(user, k * odd, k < 3 ? STORE_NONE : (k - 1) * odd, NULL);
    }
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(store_save(store, &(struct store_stream){write_some, file}));
    rewind(file);
    struct store *other = open_store(3, 0);
    assert_true(store_load(other, &(struct store_stream){read_some, file}));
    store_valid(other);
    assert_int_equal(store_stats(other).states, store_stats(store).states);
    for (uint64_t k = 1; k <= states + 10; k++) {
        store_id id = store_id_of((uint64_t[]){k * odd, 0});
        assert_int_equal(store_has(store_user(other, 2), id), store_has(user, id));
        if (k > states)
            continue;
        put(user, k * odd, odd >> 2, NULL); /* a lower parent counts in this level only */
        put(store_user(other, 0), k * odd, odd >> 2, NULL);
        assert_int_equal(store_next_parent(store_user(other, 1), id, STORE_NONE),
                         store_next_parent(user, id, STORE_NONE));
    }
    rewind(file);
    assert_int_equal(ftruncate(fileno(file), 5000), 0);
    struct store *third = open_store(1, 0);
    assert_false(store_load(third, &(struct store_stream){read_some, file}));
    store_close(third);
    store_close(store);
    store_close(other);
    fclose(file);
}

static void test_save_and_load(void **state)
{
    (void)state;
    save_and_load(1, 5);
    save_and_load(2, 3000);
    save_and_load(1, 200000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_save_and_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
