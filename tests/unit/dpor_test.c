/* dpor_test.c - what executions are made of: names of objects, sequences to be followed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "checker/dpor/wakeup.h"
#include "vm/heap/names.h"
#include "vm/program.h"

/* ---- names ----------------------------------------------------------------------- */

static uint64_t heap(uint32_t index)
{
    return vm_ptr(VM_ID_HEAP, index, 24);
}

/* Two threads, which have no names, make two objects each: at these indexes. */
static void make_four(struct vm_namer *namer, uint64_t *thread, const uint32_t *index)
{
    static const int maker[] = {2, 1, 1, 2};
    for (int k = 0; k < 4; k++) {
        *thread = vm_ptr(VM_ID_GLOBAL, (uint32_t)maker[k], 0);
        vm_namer_give(namer, index[k]);
    }
}

static void names_tell_the_maker(void **state)
{
    (void)state;
    struct vm_names *names = vm_names_open();
    uint64_t thread[2] = {0, 0};
    struct vm_namer one = {.names = names, .thread = &thread[0]};
    struct vm_namer other = {.names = names, .thread = &thread[1]};
    make_four(&one, &thread[0], (const uint32_t[]){10, 11, 12, 13});
    make_four(&other, &thread[1], (const uint32_t[]){13, 900, 10, 11});
    assert_true(vm_namer_call(&one, heap(10)) == vm_namer_call(&other, heap(13)));
    assert_true(vm_namer_call(&one, heap(11)) == vm_namer_call(&other, heap(900)));
    assert_true(vm_namer_call(&one, heap(12)) == vm_namer_call(&other, heap(10)));
    assert_true(vm_namer_call(&one, heap(13)) == vm_namer_call(&other, heap(11)));
    assert_true(vm_namer_call(&one, heap(10)) != vm_namer_call(&one, heap(13)));
    assert_int_equal((uint32_t)vm_namer_call(&one, heap(10)), 24);
    assert_true(vm_namer_call(&one, heap(900)) == heap(900));
    uint64_t beside[] = {VM_EXISTENCE, VM_QUEUE}; /* of object 11, not of the next one */
    for (size_t k = 0; k < 2; k++) {
        uint64_t at = (heap(11) >> 32 << 32) + beside[k];
        assert_true(vm_namer_call(&one, at) >> 32 == vm_namer_call(&one, heap(11)) >> 32);
    }
    assert_true(vm_namer_call(&one, thread[0]) == thread[0]);
    vm_namer_fini(&one);
    vm_namer_fini(&other);
    vm_names_close(names);
}

static void names_are_taken_back(void **state)
{
    (void)state;
    struct vm_names *names = vm_names_open();
    uint64_t thread = 0;
    struct vm_namer namer = {.names = names, .thread = &thread};
    vm_namer_give(&namer, 5);
    uint64_t first = vm_namer_call(&namer, heap(5));
    vm_namer_give(&namer, 6);
    uint64_t second = vm_namer_call(&namer, heap(6));
    vm_namer_undo(&namer, 1);
    for (uint32_t k = 0; k < 1000; k++) /* the table of names grows */
        vm_namer_give(&namer, 2000 - k);
    assert_true(vm_namer_call(&namer, heap(2000)) == second);
    assert_true(vm_namer_call(&namer, heap(5)) == first);
    vm_namer_forget(&namer, 2000);
    assert_true(vm_namer_call(&namer, heap(2000)) == heap(2000));
    vm_namer_fini(&namer);
    vm_names_close(names);
}

/* ---- sequences ------------------------------------------------------------------- */

/* Events of threads that know nothing of each other, and touch nothing: "aab" is two of
 * thread 0 and one of thread 1. */
static void add(struct wakeup **list, const char *threads, bool dependent)
{
    static uint16_t clocks[8][4];
    struct wakeup_item items[8] = {{0}};
    uint32_t number[4] = {0};
    size_t n = 0;
    for (; threads[n]; n++) {
        uint32_t proc = (uint32_t)(threads[n] - 'a');
        number[proc]++;
        for (int k = 0; k < 4; k++)
            clocks[n][k] = (uint16_t)(dependent || k == (int)proc ? number[k] : 0);
        items[n] = (struct wakeup_item){
            .proc = proc, .number = number[proc], .unknown = dependent, .clock = clocks[n]};
    }
    struct wakeup_sequence sequence = {items, n, 8};
    wakeup_insert(list, &sequence);
}

/* As text: a(b)c is "a, then b" and "c". */
static void tell(const struct wakeup *list, char *text)
{
    for (; list; list = list->next) {
        char name[2] = {(char)('a' + list->proc), 0};
        strcat(text, name);
        if (!list->child)
            continue;
        strcat(text, "(");
        tell(list->child, text);
        strcat(text, ")");
    }
}

static void assert_tells(const struct wakeup *list, const char *expected)
{
    char text[64] = "";
    tell(list, text);
    assert_string_equal(text, expected);
}

static void equivalent_sequences_are_one(void **state)
{
    (void)state;
    struct wakeup *list = NULL;
    add(&list, "abc", false);
    add(&list, "cab", false);
    assert_tells(list, "a(b(c))");
    wakeup_drop(list);
    list = NULL;
    add(&list, "abc", true);
    add(&list, "cab", true);
    add(&list, "acb", true);
    assert_tells(list, "a(b(c)c(b))c(a(b))");
    wakeup_drop(list);
}

static void what_has_come_gives_way(void **state)
{
    (void)state;
    struct wakeup *list = NULL;
    add(&list, "abc", true);
    add(&list, "acb", true);
    add(&list, "bca", true);
    add(&list, "bac", true);
    assert_tells(list, "a(b(c)c(b))b(c(a)a(c))");
    struct causal causal;
    causal_init(&causal);
    for (uint64_t thread = 1; thread <= 3; thread++)
        causal_proc(&causal, thread << 32);
    causal_add(&causal, 0, CAUSAL_NONE, NULL, 0, false);
    wakeup_pass(&list, &causal); /* "bc" and "cb" are left, and what a was to come after */
    assert_tells(list, "b(c(a)a(c))c(b)");
    causal_add(&causal, 1, CAUSAL_NONE, NULL, 0, false);
    wakeup_pass(&list, &causal);
    assert_tells(list, "c(ab)");
    causal_add(&causal, 2, CAUSAL_NONE, NULL, 0, false);
    wakeup_pass(&list, &causal);
    assert_null(list);
    causal_fini(&causal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_tell_the_maker),
        cmocka_unit_test(names_are_taken_back),
        cmocka_unit_test(equivalent_sequences_are_one),
        cmocka_unit_test(what_has_come_gives_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
