/* identity_test.c - the build id that the command finds in memory is that of its file. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmocka.h>

#include "checker/identity.h"

/* Returns the file of this test, malloc'ed. */
static char *read_self(size_t *size)
{
    FILE *self = fopen("/proc/self/exe", "rb");
    assert_non_null(self);
    fseek(self, 0, SEEK_END);
    *size = (size_t)ftell(self);
    rewind(self);
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, self), *size);
    fclose(self);
    return bytes;
}

/* The linker's note is found by its first bytes: an id of SHA-1. */
static void is_that_of_the_file(void **state)
{
    (void)state;
    static const Elf64_Nhdr head = {sizeof ELF_NOTE_GNU, 20, NT_GNU_BUILD_ID};
    size_t size, begin = sizeof head + sizeof ELF_NOTE_GNU;
    char *bytes = read_self(&size), *note = NULL;
    for (size_t at = 0; at + begin + head.n_descsz <= size && !note; at += 4)
        if (!memcmp(bytes + at, &head, sizeof head) &&
            !memcmp(bytes + at + sizeof head, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU))
            note = bytes + at;
    assert_non_null(note);
    uint64_t identity[2];
    assert_true(check_identity(identity));
    XXH128_hash_t hash = XXH3_128bits(note + begin, head.n_descsz);
    assert_int_equal(identity[0], hash.low64);
    assert_int_equal(identity[1], hash.high64);
    free(bytes);
}

static void is_always_the_same(void **state)
{
    (void)state;
    uint64_t first[2], second[2];
    assert_true(check_identity(first) && check_identity(second));
    assert_memory_equal(first, second, sizeof first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_that_of_the_file),
        cmocka_unit_test(is_always_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
