/* object_test.c - one object: its shadow, what it is hashed to; addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "vm/heap/object.h"
#include "vm/vm.h"

static void shadows_are_exact(void **unused)
{
    (void)unused;
    struct vm_obj *o = vm_obj_new(32, VM_OBJ_HEAP);
    assert_int_equal(vm_obj_mask(o, 0, 8), 0);
    vm_obj_put(o, 3, 4, 0xddccbbaa, 0xffffffff, 0);
    assert_int_equal(vm_obj_mask(o, 0, 8), 0x00ffffffff000000);
    assert_int_equal(vm_obj_get(o, 3, 4), 0xddccbbaa);
    vm_obj_put(o, 6, 4, 0x11223344, 0x00ff000f, 0); /* across words, in part */
    assert_int_equal(vm_obj_mask(o, 6, 4), 0x00ff000f);
    assert_int_equal(vm_obj_get(o, 6, 4), 0x11223344 & 0x00ff000f);
    vm_obj_put(o, 16, 8, 0x0000000500000008, ~0ull, 0xff);
    assert_int_equal(vm_obj_pointer(o, 16, 8), 0xff);
    vm_obj_move(o, 5, o, 16, 8); /* unaligned copy of a pointer */
    assert_int_equal(vm_obj_pointer(o, 5, 8), 0xff);
    assert_int_equal(vm_obj_get(o, 5, 8), 0x0000000500000008);
    vm_obj_valid(o);
    vm_obj_release(o);
}

static void moves_overlap(void **unused)
{
    (void)unused;
    for (uint32_t from = 0; from < 12; from++)
        for (uint32_t to = 0; to < 12; to++)
            for (uint32_t n = 1; n < 20; n++) {
                uint8_t plain[32], want[32];
                struct vm_obj *o = vm_obj_new(32, VM_OBJ_HEAP);
                for (uint32_t k = 0; k < 32; k++)
                    vm_obj_put(o, k, 1, plain[k] = (uint8_t)(k * 7), 0xff, 0);
                memcpy(want, plain, sizeof want);
                memmove(want + to, want + from, n);
                vm_obj_move(o, to, o, from, n);
                assert_memory_equal(o->data, want, 32);
                vm_obj_valid(o);
                vm_obj_release(o);
            }
}

/* Equal but for the ids of heap pointers: equal hashes; else not. */
static void hashes_leave_ids_out(void **unused)
{
    (void)unused;
    struct vm_obj *a = vm_obj_new(16, VM_OBJ_HEAP), *b = vm_obj_new(16, VM_OBJ_HEAP);
    vm_obj_put(a, 0, 8, vm_ptr(VM_ID_HEAP, 5, 4), ~0ull, 0xff);
    vm_obj_put(b, 0, 8, vm_ptr(VM_ID_HEAP, 9, 4), ~0ull, 0xff);
    vm_obj_hash(a);
    vm_obj_hash(b);
    assert_true(a->hash == b->hash);
    vm_obj_put(b, 0, 8, vm_ptr(VM_ID_HEAP, 9, 8), ~0ull, 0xff);
    vm_obj_hash(b);
    assert_true(a->hash != b->hash);
    vm_obj_put(b, 0, 8, vm_ptr(VM_ID_HEAP, 5, 4), ~0ull, 0); /* a number */
    vm_obj_hash(b);
    assert_true(a->hash != b->hash);
    vm_obj_release(a);
    vm_obj_release(b);
}

static uint32_t number_of(void *context, const void *bytes, size_t n)
{
    uint32_t x = 2166136261;
    (void)context;
    for (size_t k = 0; k < n; k++)
        x = (x ^ ((const uint8_t *)bytes)[k]) * 16777619;
    return x;
}

/* What has made an allocation is a part of it, also of its copies. */
static void makers_are_told_apart(void **state)
{
    (void)state;
    struct vm_contents contents = {.number = number_of};
    for (uint8_t kind = VM_OBJ_HEAP; kind <= VM_OBJ_PRIVATE; kind++)
        for (uint8_t other = VM_OBJ_HEAP; other <= kind; other++) {
            struct vm_obj *a = vm_obj_new(8, kind), *b = vm_obj_new(8, other);
            struct vm_obj *copy = vm_obj_copy(a);
            assert_true(vm_obj_is_heap(a) && copy->kind == kind);
            vm_obj_hash(a);
            vm_obj_hash(b);
            assert_true((a->hash == b->hash) == (kind == other));
            assert_true((a->key == b->key) == (kind == other));
            vm_obj_content_number(a, &contents);
            vm_obj_content_number(b, &contents);
            assert_true((a->hash == b->hash) == (kind == other));
            vm_obj_release(a);
            vm_obj_release(b);
            vm_obj_release(copy);
        }
}

static void addresses_are_numbers(void **state)
{
    (void)state;
    static const int64_t offset[] = {0, 8, -1, -8, INT32_MAX, INT32_MIN};
    for (unsigned region = VM_ID_HEAP; region <= VM_ID_CODE; region++)
        for (uint32_t index = 1; index < 1 << 28; index *= 3)
            for (size_t k = 0; k < sizeof offset / sizeof *offset; k++) {
                uint64_t object = vm_ptr(region, index, 0), p = object + (uint64_t)offset[k];
                assert_int_equal(vm_ptr_region(p), region);
                assert_int_equal(vm_ptr_index(p), index);
                assert_true(vm_ptr_object(p) == object);
                assert_true(vm_ptr_id(p) == vm_ptr_id(object));
                assert_true(vm_ptr_add(object, offset[k]) == p);
                assert_true(vm_ptr_add(p, -offset[k]) == object);
                assert_int_equal(vm_ptr_region(vm_ptr_add(p, (int64_t)1 << 32)),
                                 VM_ID_COUNT - 1);
            }
}

static void hashes_find_edges_below(void **state)
{
    (void)state;
    struct vm_obj *a = vm_obj_new(16, VM_OBJ_HEAP), *b = vm_obj_new(16, VM_OBJ_HEAP);
    vm_obj_put(a, 0, 8, vm_ptr(VM_ID_HEAP, 1, 0) - 4, ~0ull, 0xff);
    vm_obj_put(b, 0, 8, vm_ptr(VM_ID_HEAP, 9, 0) - 4, ~0ull, 0xff);
    vm_obj_hash(a);
    vm_obj_hash(b);
    assert_true(a->edges == 1 && b->edges == 1);
    assert_true(a->hash == b->hash);
    vm_obj_release(a);
    vm_obj_release(b);
}

static struct vm_obj *an_object(uint64_t value)
{
    struct vm_obj *o = vm_obj_new(16, VM_OBJ_HEAP);
    vm_obj_put(o, 0, 8, value, ~0ull, 0);
    return o;
}

static bool is_alike(struct vm_obj *o, struct vm_obj *other)
{
    bool alike = vm_obj_alike(o, other);
    assert_true(alike == vm_obj_alike(other, o));
    vm_obj_release(other);
    return alike;
}

static struct vm_obj *hashed(struct vm_obj *o)
{
    vm_obj_hash(o);
    return o;
}

static void alike_is_all_that_is_told(void **state)
{
    (void)state;
    struct vm_obj *o = hashed(an_object(5)), *other;
    assert_true(vm_obj_alike(o, o));
    assert_true(is_alike(o, vm_obj_clone(o)));
    assert_true(is_alike(o, hashed(an_object(5))));
    assert_false(is_alike(o, an_object(5))); /* it may get its hash meanwhile */
    assert_false(is_alike(o, hashed(an_object(6))));
    other = an_object(5);
    vm_obj_put(other, 8, 1, 0, 0xff, 0); /* a byte that is undefined in the first */
    assert_false(is_alike(o, hashed(other)));
    other = an_object(5);
    vm_obj_put(other, 0, 8, 5, ~0ull, VM_DERIVED);
    assert_false(is_alike(o, hashed(other)));
    other = an_object(5);
    other->flags |= VM_SHARED;
    assert_false(is_alike(o, hashed(other)));
    other = an_object(5);
    other->site = 8;
    assert_false(is_alike(o, hashed(other)));
    other = an_object(5);
    other->link = 8;
    assert_false(is_alike(o, hashed(other)));
    vm_obj_release(o);
    o = an_object(5);
    vm_obj_put(o, 8, 1, 5, 0x0f, 0); /* masks are not compared */
    hashed(o);
    assert_false(is_alike(o, vm_obj_clone(o)));
    vm_obj_release(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shadows_are_exact),         cmocka_unit_test(moves_overlap),
        cmocka_unit_test(hashes_leave_ids_out),      cmocka_unit_test(makers_are_told_apart),
        cmocka_unit_test(addresses_are_numbers),     cmocka_unit_test(hashes_find_edges_below),
        cmocka_unit_test(alike_is_all_that_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
