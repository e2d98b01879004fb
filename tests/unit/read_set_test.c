/* read_set_test.c - what a transition reads is noted: each read, once, and nothing else.
 *
 * Random reads and writes of a few objects are done while a read set is recorded
 * (vm/heap/readset.h), and the same reads are listed here; at the end both lists are compared,
 * and what was seen with what was there before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/bare.h"

enum {
    SMALL_WORDS = 3,
    LARGE_WORDS = 2 * VM_WHOLE_WORDS,
    OBJECTS = 45, /* a third of them is large and shared, a third large and not shared */
    MOST_READS = 256,
    RUNS = 2000,
};

struct read {
    uint32_t at, part;
    uint64_t label; /* of what was there before */
};

struct reads {
    struct vm *vm;
    uint64_t p[OBJECTS];
    uint64_t before[OBJECTS][LARGE_WORDS]; /* what the words were */
    bool freed[OBJECTS], written[OBJECTS];
    struct read read[MOST_READS];
    unsigned n;
};

static bool is_large(unsigned k)
{
    return k % 3 != 0;
}

static bool has_words(unsigned k)
{
    return k % 3 == 1;
}

static bool was_read(const struct reads *y, uint32_t at, uint32_t part)
{
    for (unsigned k = 0; k < y->n; k++)
        if (y->read[k].at == at && y->read[k].part == part)
            return true;
    return false;
}

static void expect(struct reads *y, uint32_t at, uint32_t part)
{
    bool whole = at != VM_READ_END && was_read(y, at, VM_READ_ALL);
    if (!whole && !was_read(y, at, part))
        y->read[y->n++] = (struct read){.at = at, .part = part};
}

static void begin(struct reads *y, const struct bare *bare)
{
    *y = (struct reads){.vm = bare_open(bare, false, 0)};
    struct vm_heap *h = &y->vm->heap;
    vm_table_reserve(&h->table[VM_ID_HEAP], 2 * MOST_READS); /* growing would end it */
    for (unsigned k = 0; k < OBJECTS; k++) {
        uint32_t n = is_large(k) ? LARGE_WORDS : SMALL_WORDS;
        y->p[k] = vm_heap_make(h, n * 8, VM_OBJ_HEAP, 0);
        struct vm_obj *o = vm_heap_get(h, y->p[k]);
        vm_obj_fill(o, 0, n * 8, 0, 0xff);
        o->flags |= has_words(k) ? VM_SHARED : 0;
        for (uint32_t w = 0; w < n; w++)
            o->data[w] = y->before[k][w] = draw(1000);
    }
    vm_heap_close(h);
    for (unsigned k = 0; k < OBJECTS; k++)
        vm_heap_hash(h, vm_heap_get(h, y->p[k]));
}

static void label(struct reads *y)
{
    for (unsigned k = 0; k < y->n; k++)
        y->read[k].label = vm_read_label(&y->vm->heap, y->read[k].at, y->read[k].part);
}

/* ---- what is done ---------------------------------------------------------------- */

static void get(struct reads *y, unsigned k)
{
    const struct vm_obj *o = vm_heap_get(&y->vm->heap, y->p[k]);
    expect(y, vm_ptr_id(y->p[k]), VM_READ_ALL);
    assert_int_equal(o == NULL, y->freed[k]);
    if (o && !y->written[k])
        assert_memory_equal(o->data, y->before[k], o->size);
}

static void get_part(struct reads *y, unsigned k)
{
    uint32_t words = is_large(k) ? LARGE_WORDS : SMALL_WORDS, w = draw(words), at;
    uint32_t n = draw(3) ? draw(words - w < 3 ? words - w : 3) * 8 : 4;
    bool by_words = has_words(k) && !y->freed[k];
    const struct vm_obj *o = vm_heap_part(&y->vm->heap, y->p[k] + w * 8, n);
    at = vm_ptr_id(y->p[k]);
    if (!by_words)
        expect(y, at, VM_READ_ALL);
    else if (!n)
        expect(y, at, VM_READ_HEAD);
    for (uint32_t j = w; by_words && j * 8 < w * 8 + n; j++)
        expect(y, at, VM_READ_WORD + j);
    assert_int_equal(o == NULL, y->freed[k]);
    if (o && !y->written[k])
        assert_true(o->data[w] == y->before[k][w]);
}

static void write(struct reads *y, unsigned k)
{
    get(y, k);
    if (y->freed[k])
        return;
    bare_write(y->vm, y->p[k], draw(SMALL_WORDS), 5000, ~0ull, 0);
    y->written[k] = true;
}

static void free_one(struct reads *y, unsigned k)
{
    get(y, k);
    if (y->freed[k])
        return;
    vm_heap_free(&y->vm->heap, y->p[k]);
    y->freed[k] = true;
}

/* Where the heap ends is seen, and that there was nothing. */
static void make_one(struct reads *y)
{
    uint64_t p = vm_heap_make(&y->vm->heap, 8, VM_OBJ_HEAP, 0);
    expect(y, VM_READ_END, VM_READ_ALL);
    expect(y, vm_ptr_id(p), VM_READ_ALL);
}

/* What was not read cannot be found by what does not say that it reads. */
static void look_without_reading(struct reads *y, unsigned k)
{
    const struct vm_obj *o = vm_heap_peek(&y->vm->heap, y->p[k]);
    assert_int_equal(o != NULL, was_read(y, vm_ptr_id(y->p[k]), VM_READ_ALL) && !y->freed[k]);
}

static void do_something(struct reads *y)
{
    unsigned k = draw(OBJECTS);
    switch (draw(10)) {
    case 0: write(y, k); break;
    case 1: free_one(y, k); break;
    case 2: make_one(y); break;
    case 3:
    case 4: get(y, k); break;
    case 5: look_without_reading(y, k); break;
    default: get_part(y, k);
    }
}

/* ---- tests ----------------------------------------------------------------------- */

static void compare(const struct reads *y)
{
    const struct vm_readset *readset = &y->vm->heap.readset;
    assert_false(readset->recording);
    assert_int_equal(readset->aborted, y->n > VM_MAX_READS);
    if (readset->aborted)
        return;
    assert_int_equal(readset->n, y->n);
    for (unsigned k = 0; k < y->n; k++) {
        assert_int_equal(readset->at[k].at, y->read[k].at);
        assert_int_equal(readset->at[k].part, y->read[k].part);
    }
}

/* Of the labels, those of the memory as it is again are those that were noted. */
static void compare_labels(struct reads *y, const struct vm_readset *noted)
{
    label(y);
    for (unsigned k = 0; !noted->aborted && k < y->n; k++)
        assert_true(noted->at[k].label == y->read[k].label && y->read[k].label);
}

static void each_read_is_noted(void **unused)
{
    struct bare bare;
    struct reads y;
    unsigned aborted = 0;
    (void)unused;
    bare_init(&bare);
    for (unsigned run = 0; run < RUNS; run++) {
        bare_seed = run;
        begin(&y, &bare);
        vm_mark(y.vm);
        vm_readset_begin(&y.vm->heap, false);
        for (unsigned k = draw(240); k > 0 && y.vm->heap.readset.recording; k--)
            do_something(&y);
        vm_readset_finish(&y.vm->heap);
        compare(&y);
        const struct vm_readset noted = y.vm->heap.readset;
        aborted += noted.aborted;
        vm_pop(y.vm);
        compare_labels(&y, &noted);
        vm_close(y.vm);
    }
    assert_in_range(aborted, 1, RUNS / 2);
    bare_fini(&bare);
}

/* What does not depend on what is read alone: then all is there again, and nothing is kept. */
static void some_things_tear_it(void **unused)
{
    struct bare bare;
    (void)unused;
    bare_init(&bare);
    for (unsigned kind = 0; kind < 4; kind++) {
        struct reads y;
        bare_seed = kind;
        begin(&y, &bare);
        struct vm_heap *h = &y.vm->heap;
        if (kind == 3) /* it has no hash yet, so that its contents cannot be told */
            bare_write(y.vm, y.p[1], 0, 1, ~0ull, 0);
        vm_readset_begin(h, kind == 1);
        get(&y, 0);
        switch (kind) {
        case 0: vm_readset_list(h); break;
        case 1: vm_readset_list(h); break; /* here it is to end, and what was read is kept */
        case 2: vm_heap_make(h, 2 * VM_READ_NEW_SIZE, VM_OBJ_HEAP, 0); break;
        case 3: vm_heap_get(h, y.p[1]); break;
        }
        assert_false(h->readset.recording);
        assert_int_equal(h->readset.aborted, kind != 1);
        for (unsigned k = 0; k < OBJECTS; k++)
            assert_non_null(vm_heap_peek(h, y.p[k]));
        vm_close(y.vm);
    }
    bare_fini(&bare);
}

/* --cache=no-words: objects are read as a whole, whatever their size. */
static void words_can_be_left_out(void **unused)
{
    struct bare bare;
    struct reads y;
    (void)unused;
    bare_init(&bare);
    begin(&y, &bare);
    y.vm->heap.readset.whole = true;
    vm_readset_begin(&y.vm->heap, false);
    assert_non_null(vm_heap_part(&y.vm->heap, y.p[1] + 8, 8));
    vm_readset_finish(&y.vm->heap);
    assert_int_equal(y.vm->heap.readset.n, 1);
    assert_int_equal(y.vm->heap.readset.at[0].part, VM_READ_ALL);
    vm_close(y.vm);
    bare_fini(&bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_read_is_noted),
        cmocka_unit_test(some_things_tear_it),
        cmocka_unit_test(words_can_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
