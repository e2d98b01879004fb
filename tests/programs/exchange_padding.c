// Compare-exchange of structures that were made elsewhere: in C padding counts, and may differ.
// Result: correct.
// -DSTRONG takes it that a strong exchange of what is equal succeeds: assertion violation.
// -DPOINTER does so where what is expected is known by its address: assertion violation.
// -DLARGE does so with a structure that is no machine word: assertion violation.
// -DFIELDS does so with bit-fields: assertion violation.
// -DBYTE does so with bits of a byte: assertion violation.
// -DMISALIGNED does it at an odd address: memory error.
// -DFAILED takes it that it fails: assertion violation.
// -DAGAIN takes it that the next one fails as well: assertion violation.
// -DUNION takes it that the unused part of a union is the same: assertion violation.
// -DSECTION does so in an atomic section, which goes on: assertion violation.
// -DUNSET compares with a member that was never set: undefined value.
#include <assert.h>
#include <divm.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct small {
    char tag;
    int count;
};
struct large {
    char tag;
    long count;
    char end;
};
struct fields {
    unsigned low : 3, high : 10;
};
struct byte {
    unsigned char low : 3;
};
union either {
    int small;
    long large;
};

static _Atomic struct small small;
static _Atomic struct large large;
static _Atomic struct fields fields;
static _Atomic struct byte byte;
static _Atomic union either either;

static struct small make(int count)
{
    struct small made;
    made.tag = 1;
    made.count = count;
    return made;
}

static _Bool exchange(struct small *want, struct small fresh)
{
    return atomic_compare_exchange_strong(&small, want, fresh);
}

static void test_small(void)
{
    struct small want = make(2), other = make(3), fresh = make(4);
    atomic_store(&small, make(2));
    assert(!atomic_compare_exchange_strong(&small, &other, fresh));
    assert(other.tag == 1 && other.count == 2);
    _Bool done = atomic_compare_exchange_strong(&small, &want, fresh);
#ifdef STRONG
    assert(done);
#endif
#ifdef FAILED
    assert(!done);
#endif
    assert(want.tag == 1 && want.count == 2);
    if (!done) {
        done = atomic_compare_exchange_strong(&small, &want, fresh);
#ifdef AGAIN
        assert(!done);
#endif
    }
    struct small was = atomic_exchange(&small, want);
    assert(done && was.count == 4);
    want = make(2);
    done = exchange(&want, fresh);
#ifdef POINTER
    assert(done);
#endif
}

static void test_large(void)
{
    struct large want, fresh;
    want.tag = fresh.tag = want.end = fresh.end = 1;
    want.count = 2, fresh.count = 3;
    atomic_init(&large, fresh);
    assert(!atomic_compare_exchange_strong(&large, &want, fresh));
    assert(want.count == 3);
    struct large again;
    again.tag = again.end = 1, again.count = 3;
    _Bool done = atomic_compare_exchange_strong(&large, &again, want);
#ifdef LARGE
    assert(done);
#endif
}

static void test_fields(void)
{
    struct fields want, fresh;
    want.low = fresh.low = 1;
    want.high = fresh.high = 2;
    atomic_init(&fields, fresh);
    _Bool done = atomic_compare_exchange_strong(&fields, &want, fresh);
#ifdef FIELDS
    assert(done);
#endif
    struct byte a, b;
    a.low = b.low = 1;
    atomic_init(&byte, a);
    done = atomic_compare_exchange_strong(&byte, &b, a);
#ifdef BYTE
    assert(done);
#endif
#ifdef MISALIGNED
    char *bytes = calloc(2, sizeof want);
    _Atomic struct fields *odd = (_Atomic struct fields *)(void *)(bytes + 1);
    done = atomic_compare_exchange_strong(odd, &want, fresh);
    free(bytes);
#endif
}

static void test_union(void)
{
    union either want, fresh;
    want.small = 1;
    fresh.large = 2;
    atomic_init(&either, want);
    _Bool done = atomic_compare_exchange_strong(&either, &want, fresh);
#ifdef UNION
    assert(done);
#endif
}

/* What is set on both sides is known, and padding was set as well. */
static void test_known(void)
{
    struct small a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    atomic_init(&small, a);
    assert(atomic_compare_exchange_strong(&small, &b, a));
    memset(&b, 1, sizeof b);
    b.tag = 0, b.count = 0;
    assert(!atomic_compare_exchange_strong(&small, &b, a));
    assert(atomic_compare_exchange_strong(&small, &b, a));
}

int main(void)
{
    test_small();
    test_large();
    test_fields();
    test_union();
    test_known();
    divm_atomic_begin();
    struct small want = make(0);
    want.tag = 0;
    _Bool done = atomic_compare_exchange_strong(&small, &want, make(1));
    divm_atomic_end();
#ifdef SECTION
    assert(done);
#endif
#ifdef UNSET
    struct small unset;
    struct small now = atomic_load(&small);
    unset.tag = now.tag;
    return exchange(&unset, make(1));
#endif
    return done ? 0 : 0;
}
