/* store_test.c - the set of visited states, by one thread and by many. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "stored.h"

static bool is_candidate(struct store_user *user, store_id id, store_id parent)
{
    store_id from = STORE_NONE;
    while ((from = store_next_parent(user, id, from)) != STORE_NONE && from != parent)
        continue;
    return from == parent && store_is_root(user, id) == (parent == STORE_NONE);
}

/* The only candidate. */
static store_id parent_of(struct store_user *user, store_id id)
{
    store_id parent = store_next_parent(user, id, STORE_NONE);
    if (parent != STORE_NONE && store_next_parent(user, id, parent) != STORE_NONE)
        abort();
    assert_int_equal(store_is_root(user, id), parent == STORE_NONE);
    return parent;
}

/* ---- one thread ------------------------------------------------------------------ */

static void test_new_then_found(void **state)
{
    (void)state;
    struct store *store = open_store(1, 0);
    struct store_user *user = store_user(store, 0);
    store_id a, b, again;
    assert_int_equal(put(user, mix(1), STORE_NONE, &a), STORE_NEW);
    assert_int_equal(put(user, mix(2), a, &b), STORE_NEW);
    assert_int_equal(put(user, mix(1), b, &again), STORE_FOUND);
    assert_int_equal(a, again);
    assert_int_not_equal(a, b);
    assert_true(store_has(user, a));
    assert_false(store_has(user, mix(3)));
    assert_false(store_has(user, STORE_NONE));
    assert_int_equal(parent_of(user, a), STORE_NONE);
    assert_int_equal(parent_of(user, b), a);
    assert_int_equal(store_stats(store).states, 2);
    store_valid(store);
    store_close(store);
}

/* What is looked for and not there is put in later from the place where it was not, even if the
 * segment has grown meanwhile, another has put it in, or the place is that of another one. */
static void test_find_then_put(void **state)
{
    (void)state;
    enum { N = 100000, LATER = 37 };
    static struct store_place place[N];
    struct store *store = open_store(2, 0);
    struct store_user *user = store_user(store, 0), *other = store_user(store, 1);
    store_id id;
    for (uint64_t x = 0; x < N + LATER; x++) {
        if (x < N)
            assert_false(store_find(user, mix(x), STORE_NONE, &place[x]));
        if (x < LATER)
            continue;
        uint64_t y = x - LATER, hash[2] = {mix(y), 0};
        bool first = y % 5 == 0;
        if (first)
            assert_int_equal(put(other, mix(y), STORE_NONE, NULL), STORE_NEW);
        const struct store_place *at = &place[y % 7 ? y : y / 2];
        assert_int_equal(store_find_or_put(user, hash, STORE_NONE, at, &id),
                         first ? STORE_FOUND : STORE_NEW);
        assert_true(store_find(user, mix(y), STORE_NONE, &place[y]));
    }
    assert_int_equal(store_stats(store).states, N);
    store_valid(store);
    store_close(store);
}

/* Small fingerprints get ids that are valid, and that stay apart from the rest. */
static void test_smallest_fingerprints(void **state)
{
    (void)state;
    struct store *store = open_store(1, 0);
    struct store_user *user = store_user(store, 0);
    store_id id;
    assert_int_equal(put(user, 0, STORE_NONE, &id), STORE_NEW);
    assert_int_not_equal(id, STORE_NONE);
    store_id child;
    assert_int_equal(put(user, mix(7), id, &child), STORE_NEW);
    assert_int_equal(parent_of(user, child), id);
    store_id last;
    assert_int_equal(put(user, UINT64_MAX, child, &last), STORE_NEW);
    assert_int_equal(parent_of(user, last), child);
    store_valid(store);
    store_close(store);
}

static void test_growth_keeps_ids_and_parents(void **state)
{
    (void)state;
    enum { N = 400000 };
    struct store *store = open_store(1, 0);
    struct store_user *user = store_user(store, 0);
    store_id parent = STORE_NONE;
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(put(user, mix(i), parent, &parent), STORE_NEW);
    assert_int_equal(store_stats(store).states, N);
    for (uint64_t i = 0; i < N; i++)
        assert_true(is_candidate(user, mix(i), i ? mix(i - 1) : STORE_NONE));
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(put(user, mix(i), STORE_NONE, NULL), STORE_FOUND);
    store_valid(store);
    store_close(store);
}

/* 12 bytes a slot at 75 to 86 % load, and growing takes what is new only. */
static void test_bytes_per_state(void **state)
{
    (void)state;
    struct store *store = open_store(1, 0);
    struct store_user *user = store_user(store, 0);
    for (uint64_t i = 0; i < 2000000; i++) {
        put(user, mix(i), STORE_NONE, NULL);
        if (i >= 60000 && i % 5000 == 0) {
            struct store_stats stats = store_stats(store);
            assert_true(stats.bytes <= 16 * stats.states);
            assert_int_equal(stats.peak_bytes, stats.bytes);
        }
    }
    store_close(store);
}

/* Neighbours in one segment: long probes, and wrapping around its end. */
static void test_clusters(void **state)
{
    (void)state;
    struct store *store = open_store(1, 0);
    struct store_user *user = store_user(store, 0);
    enum { N = 1000 };
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(put(user, (UINT64_MAX >> 10) - i, STORE_NONE, NULL), STORE_NEW);
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(put(user, (UINT64_MAX >> 10) - i, STORE_NONE, NULL), STORE_FOUND);
    assert_int_equal(put(user, (UINT64_MAX >> 10) - N, STORE_NONE, NULL), STORE_NEW);
    store_valid(store);
    store_close(store);
}

/* Many homes, few groups: clusters that end at the last group, and others after them. */
static void test_clusters_that_grow(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct store *store = open_store(1, 0);
    struct store_user *user = store_user(store, 0);
    for (uint64_t i = 0; i < N; i++) {
        uint64_t rest = i % 3   ? mix(i) >> 10
                        : i % 2 ? (UINT64_MAX >> 10) - i
                                : mix(i % 7) % 1000 * i;
        put(user, rest, STORE_NONE, NULL);
        if (i % 1000 == 0)
            store_valid(store);
    }
    store_valid(store);
    store_close(store);
}

/* Parents that begin with the same bits are candidates, in order. */
static void test_parents_that_are_alike(void **state)
{
    (void)state;
    enum { N = 300 };
    struct store *store = open_store(1, 0);
    struct store_user *user = store_user(store, 0);
    static const uint64_t first[] = {1, 77777, (1ull << 31) - 1};
    for (uint64_t i = 0; i < N; i++)
        for (size_t k = 0; k < 3; k++)
            put(user, first[k] << 33 | (mix(i) & 0xffffffff), STORE_NONE, NULL);
    for (uint64_t i = 0; i < 30000; i++)
        put(user, mix(i), STORE_NONE, NULL);
    for (size_t k = 0; k < 3; k++) {
        store_id child, before = STORE_NONE, parent = first[k] << 33 | (mix(0) & 0xffffffff);
        put(user, mix(30000 + k), parent, &child);
        bool found = false;
        unsigned n = 0;
        for (; (before = store_next_parent(user, child, before)) != STORE_NONE; n++)
            found |= before == parent;
        assert_true(found);
        assert_int_equal(n, N);
        assert_false(store_is_root(user, child));
    }
    store_valid(store);
    store_close(store);
}

/* The link is lowered within the level of its state, and never after, however many there are.
 */
static void test_smallest_parent_of_the_level(void **state)
{
    (void)state;
    enum { LEVELS = 5000 };
    struct store *store = open_store(1, 0);
    struct store_user *user = store_user(store, 0);
    store_id p[3] = {1000ull << 34, 2000ull << 34, 3000ull << 34};
    for (int i = 0; i < 3; i++)
        put(user, p[i], STORE_NONE, NULL);
    for (uint64_t level = 1; level <= LEVELS; level++) {
        store_next_level(store);
        for (uint64_t before = 1; before < level; before++)
            if (level - before < 3 || (level - before) % 1023 == 0 || level % 1000 == 0)
                assert_int_equal(put(user, mix(before), p[0], NULL), STORE_FOUND);
        assert_int_equal(put(user, mix(level), p[1], NULL), STORE_NEW);
        assert_int_equal(put(user, mix(level), p[2], NULL), STORE_FOUND);
        assert_int_equal(parent_of(user, mix(level)), p[1]);
        if (level % 2) {
            put(user, mix(level), p[0], NULL);
            assert_int_equal(parent_of(user, mix(level)), p[0]);
        }
    }
    for (uint64_t level = 1; level <= LEVELS; level++)
        assert_int_equal(parent_of(user, mix(level)), p[level % 2 ? 0 : 1]);
    for (int i = 0; i < 3; i++)
        assert_true(store_is_root(user, p[i]));
    store_valid(store);
    store_close(store);
}

/* Without levels the first one stays. */
static void test_first_parent(void **state)
{
    (void)state;
    struct store *store = open_store(1, 0);
    struct store_user *user = store_user(store, 0);
    store_id child, p[2] = {1000ull << 34, 2000ull << 34};
    for (int i = 0; i < 2; i++)
        put(user, p[i], STORE_NONE, NULL);
    put(user, mix(1), p[1], &child);
    assert_int_equal(put(user, mix(1), p[0], NULL), STORE_FOUND);
    assert_int_equal(parent_of(user, child), p[1]);
    put(user, p[1], p[0], NULL);
    assert_true(store_is_root(user, p[1]));
    store_close(store);
}

static void test_prefetch_of_anything(void **state)
{
    (void)state;
    struct store *store = open_store(1, 0);
    store_id ids[] = {0, 1, mix(1), UINT64_MAX};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        store_prefetch(store, ids[i]);
    store_close(store);
}

/* ---- limits ---------------------------------------------------------------------- */

static void test_limit_is_full_not_fatal(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 20 };
    struct store *store = open_store(1, LIMIT);
    struct store_user *user = store_user(store, 0);
    uint64_t n = 0;
    while (put(user, mix(n), STORE_NONE, NULL) == STORE_NEW)
        n++;
    assert_true(store_stats(store).peak_bytes <= LIMIT);
    assert_true(12 * n > LIMIT / 10 * 8); /* and used well before it gave up */
    assert_int_equal(store_stats(store).states, n);
    for (uint64_t i = 0; i < n; i++)
        assert_int_equal(put(user, mix(i), STORE_NONE, NULL), STORE_FOUND);
    assert_int_equal(put(user, mix(n), STORE_NONE, NULL), STORE_FULL);
    assert_false(store_has(user, mix(n)));
    store_valid(store);
    store_close(store);
}

static void test_limit_below_the_smallest(void **state)
{
    (void)state;
    assert_null(store_open(&(struct store_options){.users = 1, .max_bytes = 1000}));
}

static size_t addresses_in_use(void)
{
    size_t pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%zu", &pages), 1);
    fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* In a process of its own: how it ended. */
static int end_of(void (*work)(void))
{
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        work();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void fill_all_addresses(void)
{
    enum { LEFT = 64 << 20 };
    struct rlimit limit = {.rlim_cur = addresses_in_use() + LEFT, .rlim_max = RLIM_INFINITY};
    uint64_t n = 0;
    if (setrlimit(RLIMIT_AS, &limit) < 0)
        _exit(1);
    struct store *store = store_open(&(struct store_options){.users = 2});
    /* Others have most.  Not malloc: it asks for more than it is asked for, how much more
     * depends on where the pages lie that it has. */
    void *others = mmap(NULL, LEFT / 8 * 5, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!store || others == MAP_FAILED)
        _exit(2);
    munmap(others, LEFT / 8 * 5);
    while (put(store_user(store, n % 2), mix(n), STORE_NONE, NULL) == STORE_NEW)
        n++;
    if (n < 100000)
        _exit(3);
    for (uint64_t i = 0; i < n; i++)
        if (put(store_user(store, 0), mix(i), STORE_NONE, NULL) != STORE_FOUND)
            _exit(4);
    store_valid(store);
    store_close(store);
}

static void test_few_addresses_are_full_not_fatal(void **state)
{
    (void)state;
    assert_int_equal(end_of(fill_all_addresses), 0);
}

/* ---- exactly --------------------------------------------------------------------- */

enum { MAX_WORDS = 400 };

/* A random tree with some edges to nodes met before: the same for the same seed, and another
 * one for another seed. */
static size_t random_graph(uint64_t seed, uint64_t *words)
{
    uint64_t shape = mix(seed / 7);
    size_t n = 0, open = 1, nodes = 1 + shape % 60;
    for (size_t i = 0; i < nodes && open > 0; i++, open--) {
        size_t at = n++, nedges = i + open < nodes ? mix(shape + i) % 4 : 0;
        for (size_t k = 0; k < nedges; k++) {
            bool new = mix(shape ^ (i * 4 + k)) % 3;
            words[n++] = new ? 0 : 1 + mix(shape + i * k) % (i + 1);
            open += new;
        }
        uint64_t number = i == nodes / 2 ? 1000 + seed : 4 + nedges;
        words[at] = number << 32 | (i ? 0 : STORE_GRAPH_ROOT) | nedges;
    }
    for (; open > 0; open--)
        words[n++] = (uint64_t)3 << 32;
    /* Whatever the shape, the seed is in it. */
    words[n++] = (2000000 + seed) << 32 | STORE_GRAPH_ROOT;
    return n;
}

static struct store *open_exact(unsigned users, size_t max_bytes)
{
    struct store *store = store_open(
        &(struct store_options){.users = users, .max_bytes = max_bytes, .exact = true});
    assert_non_null(store);
    return store;
}

/* Each graph is new once, whoever has seen what before. */
static void test_exact_graphs(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct store *store = open_exact(2, 0);
    uint64_t words[MAX_WORDS], hash[2], tagged[2], id;
    for (int round = 0; round < 2; round++)
        for (uint64_t i = 0; i < N; i++) {
            struct store_user *user = store_user(store, (unsigned)mix(i + (uint64_t)round) % 2);
            size_t n = random_graph(i * 7919 % N, words);
            assert_true(n <= MAX_WORDS);
            assert_true(store_graph(user, false, words, n, hash));
            enum store_put expected = round ? STORE_FOUND : STORE_NEW;
            assert_int_equal(store_find_or_put(user, hash, STORE_NONE, NULL, &id), expected);
            assert_int_equal(id, hash[0]); /* no bit is lost */
            assert_true(store_graph(user, true, words, n, tagged));
            assert_int_not_equal(tagged[0], hash[0]);
        }
    store_valid(store);
    store_close(store);
}

/* One word of a large graph, one byte of large contents. */
static void test_exact_differences(void **state)
{
    (void)state;
    enum { N = 3000, BYTES = 100000 };
    struct store *store = open_exact(1, 0);
    struct store_user *user = store_user(store, 0);
    static uint64_t words[2 * N];
    uint64_t hash[2], other[2];
    for (size_t i = 0; i < N; i++) {
        words[2 * i] = (uint64_t)7 << 32 | (i ? 0 : STORE_GRAPH_ROOT) | (i + 1 < N);
        words[2 * i + 1] = 0;
    }
    assert_true(store_graph(user, false, words, 2 * N - 1, hash));
    for (size_t i = 0; i < N; i += 100) {
        words[2 * i] ^= (uint64_t)1 << 32;
        assert_true(store_graph(user, false, words, 2 * N - 1, other));
        assert_int_not_equal(other[0], hash[0]);
        words[2 * i] ^= (uint64_t)1 << 32;
    }
    assert_true(store_graph(user, false, words, 2 * N - 1, other));
    assert_int_equal(other[0], hash[0]);
    char *bytes = calloc(1, BYTES);
    uint32_t zero = store_contents(user, bytes, BYTES);
    size_t before = store_stats(store).bytes;
    assert_true(zero && zero != store_contents(user, bytes, BYTES - 1));
    for (size_t i = 0; i < BYTES; i += 1009) {
        bytes[i] = 1;
        assert_int_not_equal(store_contents(user, bytes, BYTES), zero);
        bytes[i] = 0;
        assert_int_equal(store_contents(user, bytes, BYTES), zero);
    }
    assert_true(store_stats(store).bytes - before < 5 * BYTES); /* of 100 variants */
    free(bytes);
    store_valid(store);
    store_close(store);
}

static void test_exact_limit(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 20 };
    struct store *store = open_exact(1, LIMIT);
    struct store_user *user = store_user(store, 0);
    uint64_t words[MAX_WORDS], hash[2], n = 0;
    while (store_graph(user, false, words, random_graph(n, words), hash))
        n++;
    assert_true(n > 1000 && !hash[0]);
    assert_true(store_stats(store).peak_bytes <= LIMIT);
    assert_true(store_graph(user, false, words, random_graph(n / 2, words), hash));
    char bytes[64];
    for (n = 0; n < LIMIT; n++) {
        memcpy(bytes, &n, sizeof n);
        if (!store_contents(user, bytes, sizeof bytes))
            break;
    }
    assert_true(n < LIMIT);
    assert_false(store_graph(user, false, words, random_graph(0, words), hash));
    assert_true(store_graph(user, false, words, random_graph(0, words), hash));
    store_valid(store);
    store_close(store);
}

/* ---- many threads ---------------------------------------------------------------- */

enum { NTHREADS = 16, PER_THREAD = 60000 };

struct job {
    struct store *store;
    unsigned index;
    uint64_t range; /* of the numbers that are put in */
    uint64_t made, full;
};

static void *insert_graphs(void *arg)
{
    struct job *job = arg;
    struct store_user *user = store_user(job->store, job->index);
    uint64_t words[MAX_WORDS], hash[2], id;
    for (uint64_t i = 0; i < job->range; i++) {
        size_t n = random_graph((i * 7919 + job->index * 104729) % job->range, words);
        if (!store_graph(user, false, words, n, hash))
            abort();
        job->made += store_find_or_put(user, hash, STORE_NONE, NULL, &id) == STORE_NEW;
    }
    return NULL;
}

static void *insert(void *arg)
{
    struct job *job = arg;
    struct store_user *user = store_user(job->store, job->index);
    struct store_place place = {0}; /* of this one or of another */
    for (uint64_t i = 0; i < PER_THREAD; i++) {
        uint64_t x = (i * 7919 + job->index * 104729) % job->range;
        store_id parent = x ? mix(x - 1) : STORE_NONE, id;
        if (i % 2 && store_find(user, mix(x), parent, &place))
            continue;
        enum store_put result =
            store_find_or_put(user, (uint64_t[]){mix(x), 0}, parent, &place, &id);
        job->made += result == STORE_NEW;
        job->full += result == STORE_FULL;
        if (result != STORE_FULL && !store_has(user, id))
            abort();
    }
    return NULL;
}

static void run_all(struct store *store, struct job *jobs, uint64_t range,
                    void *(*body)(void *))
{
    pthread_t threads[NTHREADS];
    for (unsigned i = 0; i < NTHREADS; i++) {
        jobs[i] = (struct job){.store = store, .index = i, .range = range};
        assert_int_equal(pthread_create(&threads[i], NULL, body, &jobs[i]), 0);
    }
    for (unsigned i = 0; i < NTHREADS; i++)
        pthread_join(threads[i], NULL);
}

/* All threads put in the same states while the table grows: each is new once. */
static void test_threads_agree(void **state)
{
    (void)state;
    struct job jobs[NTHREADS];
    struct store *store = open_store(NTHREADS, 0);
    store_next_level(store);
    run_all(store, jobs, PER_THREAD, insert);
    uint64_t made = 0;
    for (unsigned i = 0; i < NTHREADS; i++)
        made += jobs[i].made;
    assert_int_equal(made, PER_THREAD);
    assert_int_equal(store_stats(store).states, PER_THREAD);
    struct store_user *user = store_user(store, 0);
    for (uint64_t x = 0; x < PER_THREAD; x++)
        assert_true(is_candidate(user, mix(x), x ? mix(x - 1) : STORE_NONE));
    store_valid(store);
    store_close(store);
}

static void test_threads_agree_exactly(void **state)
{
    (void)state;
    enum { N = 5003 };
    struct job jobs[NTHREADS];
    struct store *store = open_exact(NTHREADS, 0);
    store_next_level(store);
    run_all(store, jobs, N, insert_graphs);
    uint64_t made = 0;
    for (unsigned i = 0; i < NTHREADS; i++)
        made += jobs[i].made;
    assert_int_equal(made, N);
    store_valid(store);
    store_close(store);
}

static void test_threads_mostly_apart(void **state)
{
    (void)state;
    struct job jobs[NTHREADS];
    struct store *store = open_store(NTHREADS, 0);
    run_all(store, jobs, 1000003, insert);
    uint64_t made = 0, states = store_stats(store).states;
    for (unsigned i = 0; i < NTHREADS; i++)
        made += jobs[i].made;
    assert_int_equal(made, states);
    store_close(store); /* not valid: some parents were never put in */
}

static void test_threads_at_the_limit(void **state)
{
    (void)state;
    struct job jobs[NTHREADS];
    struct store *store = open_store(NTHREADS, 400000);
    store_next_level(store);
    run_all(store, jobs, 1000003, insert);
    uint64_t made = 0, full = 0;
    for (unsigned i = 0; i < NTHREADS; i++) {
        made += jobs[i].made;
        full += jobs[i].full;
    }
    assert_true(full > 0);
    assert_int_equal(made, store_stats(store).states);
    assert_true(store_stats(store).peak_bytes <= 400000);
    store_close(store);
}

enum { CHILDREN = 3000 };

/* Each thread offers itself, in its own order, as the parent of every child. */
static void *offer(void *arg)
{
    struct job *job = arg;
    struct store_user *user = store_user(job->store, job->index);
    store_id self = (store_id)(1000 + job->index) << 34;
    for (uint64_t i = 0; i < CHILDREN; i++)
        put(user, mix((i * 17 + job->index * 311) % CHILDREN), self, NULL);
    return NULL;
}

static void test_threads_smallest_parent(void **state)
{
    (void)state;
    struct job jobs[NTHREADS];
    struct store *store = open_store(NTHREADS, 0);
    for (unsigned i = 0; i < NTHREADS; i++)
        put(store_user(store, 0), (store_id)(1000 + i) << 34, STORE_NONE, NULL);
    store_next_level(store);
    run_all(store, jobs, CHILDREN, offer);
    for (uint64_t x = 0; x < CHILDREN; x++)
        assert_int_equal(parent_of(store_user(store, 0), mix(x)), 1000ull << 34);
    store_valid(store);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_then_found),
        cmocka_unit_test(test_find_then_put),
        cmocka_unit_test(test_smallest_fingerprints),
        cmocka_unit_test(test_growth_keeps_ids_and_parents),
        cmocka_unit_test(test_bytes_per_state),
        cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_clusters_that_grow),
        cmocka_unit_test(test_parents_that_are_alike),
        cmocka_unit_test(test_smallest_parent_of_the_level),
        cmocka_unit_test(test_first_parent),
        cmocka_unit_test(test_prefetch_of_anything),
        cmocka_unit_test(test_limit_is_full_not_fatal),
        cmocka_unit_test(test_limit_below_the_smallest),
        cmocka_unit_test(test_few_addresses_are_full_not_fatal),
        cmocka_unit_test(test_exact_graphs),
        cmocka_unit_test(test_exact_differences),
        cmocka_unit_test(test_exact_limit),
        cmocka_unit_test(test_threads_agree),
        cmocka_unit_test(test_threads_agree_exactly),
        cmocka_unit_test(test_threads_mostly_apart),
        cmocka_unit_test(test_threads_at_the_limit),
        cmocka_unit_test(test_threads_smallest_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
