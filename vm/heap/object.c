/* object.c - data and shadow of one object. */
#include "object.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "memory.h"
#include "pool.h"
#include "protect.h"
#include "vm/program.h"
#include "vm/vm.h"

static size_t footprint(uint32_t size, uint8_t kind)
{
    return sizeof(struct vm_obj) + vm_obj_tail(size, kind);
}

struct vm_obj *vm_obj_new(uint32_t size, uint8_t kind)
{
    size_t bytes = footprint(size, kind);
    struct vm_obj *o = vm_take(bytes);
    memset(o, 0, bytes);
    o->refs = 1;
    o->size = size;
    o->kind = kind;
    if (kind == VM_OBJ_FRAME)
        for (uint32_t w = 0; w < vm_obj_words(o); w++)
            vm_obj_shadow(o)[w] = 0x00ff;
    return o;
}

static void copy_bits(struct vm_obj *copy, const struct vm_obj *o)
{
    if (!o->bits)
        return;
    copy->bits = vm_alloc((size_t)o->size + 8);
    memcpy(copy->bits, o->bits, o->size + 8);
}

struct vm_obj *vm_obj_copy(const struct vm_obj *o)
{
    size_t bytes = footprint(o->size, o->kind);
    struct vm_obj *copy = vm_take(bytes);
    memcpy((char *)copy + sizeof copy->refs, (const char *)o + sizeof o->refs,
           bytes - sizeof o->refs);
    copy->refs = 1;
    copy->flags &= (uint8_t)~(VM_OWNED | VM_HASHED);
    copy_bits(copy, o);
    return copy;
}

struct vm_obj *vm_obj_of_kind(const struct vm_obj *o, uint8_t kind)
{
    struct vm_obj *other = vm_obj_new(o->size, kind);
    other->flags = o->flags & (uint8_t)~VM_HASHED;
    other->link = o->link;
    other->site = o->site;
    memcpy(other->data, o->data, (size_t)vm_obj_words(o) * 10);
    copy_bits(other, o);
    for (uint32_t k = 0; kind & VM_OBJ_PROTECTED && k < vm_obj_pages(o->size); k++)
        vm_page_set(other, k, vm_page(VM_PAGE_RIGHTS, 0));
    return other;
}

/* Returns the flags.  Pairs with finish_hash: an object that has a hash is not written any
 * more. */
static uint8_t flags_seen(const struct vm_obj *o)
{
    return __atomic_load_n(&o->flags, __ATOMIC_ACQUIRE);
}

uint64_t vm_obj_key_seen(const struct vm_obj *o)
{
    return flags_seen(o) & VM_HASHED ? o->key : 0;
}

struct vm_obj *vm_obj_clone(const struct vm_obj *o)
{
    uint8_t flags = flags_seen(o);
    struct vm_obj *clone = vm_take(footprint(o->size, o->kind));
    *clone = (struct vm_obj){
        .refs = 1,
        .size = o->size,
        .kind = o->kind,
        .flags = flags & (uint8_t)~VM_OWNED,
        .link = o->link,
        .site = o->site,
    };
    if (flags & VM_HASHED) {
        clone->edges = o->edges;
        clone->hash = o->hash;
        clone->key = o->key;
    }
    memcpy(clone->data, o->data, vm_obj_tail(o->size, o->kind));
    copy_bits(clone, o);
    return clone;
}

/* Compares heads and contents.  The hash, and what else is valid of an object with a hash, is a
 * part of the head. */
bool vm_obj_alike(const struct vm_obj *o, const struct vm_obj *other)
{
    enum { HEAD = offsetof(struct vm_obj, size), TAIL = offsetof(struct vm_obj, data) };
    if (o == other)
        return true;
    unsigned flags = flags_seen(o), others = flags_seen(other);
    assert(!((flags | others) & VM_OWNED));
    if (!(flags & others & VM_HASHED) || o->bits || other->bits)
        return false;
    return !memcmp((const char *)o + HEAD, (const char *)other + HEAD, TAIL - HEAD) &&
           !memcmp(o->data, other->data, vm_obj_tail(o->size, o->kind));
}

void vm_obj_delete(struct vm_obj *o)
{
    if (o->bits) /* hardly any has some, and free is asked for each object */
        free(o->bits);
    vm_give(o, footprint(o->size, o->kind));
}

static uint64_t spread(uint8_t bits) /* bit k to byte k */
{
    uint64_t m = 0;
    for (unsigned k = 0; k < 8; k++)
        if (bits >> k & 1)
            m |= 0xffull << (8 * k);
    return m;
}

static uint8_t shadow_bits(const struct vm_obj *o, uint32_t off, uint32_t n, unsigned shift)
{
    const uint16_t *s = vm_obj_shadow((struct vm_obj *)o);
    uint32_t word = off / 8, at = off % 8;
    unsigned v = s[word] >> shift & 0xff;
    if (at + n > 8)
        v |= (s[word + 1] >> shift & 0xffu) << 8;
    return (uint8_t)(v >> at & ((1u << n) - 1));
}

uint64_t vm_obj_mask_slow(const struct vm_obj *o, uint32_t off, uint32_t n)
{
    assert(n <= 8 && off + n <= vm_obj_words(o) * 8);
    uint64_t m = spread(shadow_bits(o, off, n, 0));
    if (o->bits)
        for (uint32_t k = 0; k < n; k++)
            m |= (uint64_t)o->bits[off + k] << (8 * k);
    return m;
}

uint8_t vm_obj_pointer_slow(const struct vm_obj *o, uint32_t off, uint32_t n)
{
    return shadow_bits(o, off, n, 8);
}

static void put_shadow(struct vm_obj *o, uint32_t off, uint32_t n, uint8_t defined,
                       uint8_t pointer)
{
    uint16_t *s = vm_obj_shadow(o);
    uint32_t word = off / 8, at = off % 8;
    uint32_t clear = ((1u << n) - 1) << at, def = (uint32_t)defined << at,
             ptr = (uint32_t)pointer << at;
    s[word] = (uint16_t)((s[word] & ~((clear & 0xff) | (clear & 0xff) << 8)) | (def & 0xff) |
                         (ptr & 0xff) << 8);
    if (at + n > 8) {
        clear >>= 8, def >>= 8, ptr >>= 8;
        s[word + 1] = (uint16_t)((s[word + 1] & ~(clear | clear << 8)) | def | ptr << 8);
    }
}

void vm_obj_put_slow(struct vm_obj *o, uint32_t off, uint32_t n, uint64_t value, uint64_t mask,
                     uint8_t pointer)
{
    assert(n <= 8 && off + n <= vm_obj_words(o) * 8);
    value &= mask;
    memcpy(vm_obj_bytes(o) + off, &value, n);
    uint8_t defined = 0, partial = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint8_t m = (uint8_t)(mask >> (8 * k));
        defined |= (uint8_t)((m == 0xff) << k);
        partial |= (uint8_t)((m != 0xff && m != 0) << k);
    }
    put_shadow(o, off, n, defined, pointer);
    if (partial && !o->bits)
        o->bits = vm_zeros((size_t)o->size + 8, 1);
    if (o->bits)
        for (uint32_t k = 0; k < n; k++)
            o->bits[off + k] = partial >> k & 1 ? (uint8_t)(mask >> (8 * k)) : 0;
}

/* Moves byte ranges of equal alignment: whole words of shadow at a time. */
static void move_words(struct vm_obj *to, uint32_t to_off, const struct vm_obj *from,
                       uint32_t from_off, uint32_t n)
{
    memmove(vm_obj_bytes(to) + to_off, (const uint8_t *)from->data + from_off, n);
    memmove(vm_obj_shadow(to) + to_off / 8, vm_obj_shadow((struct vm_obj *)from) + from_off / 8,
            n / 8 * 2);
}

static void move_pieces(struct vm_obj *to, uint32_t to_off, const struct vm_obj *from,
                        uint32_t from_off, uint32_t n, bool backwards)
{
    while (n > 0) {
        uint32_t k = n < 8 ? n : 8;
        uint32_t at = backwards ? n - k : 0;
        vm_obj_put(to, to_off + at, k, vm_obj_get(from, from_off + at, k),
                   vm_obj_mask(from, from_off + at, k), vm_obj_pointer(from, from_off + at, k));
        n -= k;
        if (!backwards)
            to_off += k, from_off += k;
    }
}

void vm_obj_move(struct vm_obj *to, uint32_t to_off, const struct vm_obj *from,
                 uint32_t from_off, uint32_t n)
{
    bool plain = !from->bits && !to->bits;
    bool backwards = to == from && to_off > from_off;
    if (plain && to_off % 8 == 0 && from_off % 8 == 0 && !backwards) {
        uint32_t whole = n & ~7u;
        move_words(to, to_off, from, from_off, whole);
        to_off += whole, from_off += whole, n -= whole;
    }
    move_pieces(to, to_off, from, from_off, n, backwards);
}

void vm_obj_fill(struct vm_obj *o, uint32_t off, uint32_t n, uint8_t byte, uint8_t mask)
{
    uint64_t value = 0x0101010101010101ull * byte, m = 0x0101010101010101ull * mask;
    while (n > 0) {
        uint32_t k = off % 8 || n < 8 ? 1 : 8;
        vm_obj_put(o, off, k, value, k == 8 ? m : m & 0xff, 0);
        off += k, n -= k;
    }
}

/* The pointers of an object, as words and hashes have them. */
struct masked {
    uint64_t ids; /* a hash of the ids that are left out */
    uint16_t edges;
    bool raw;
};

/* Copies the words with the ids of heap pointers left out. */
static struct masked mask_ids(const struct vm_obj *o, uint64_t *words)
{
    uint32_t n = vm_obj_words(o), part = vm_obj_part(o), end = part;
    const uint16_t *s = vm_obj_shadow((struct vm_obj *)o);
    struct masked masked = {0};
    uint16_t bit = 1;
    for (uint32_t w = 0; w < n; w++) {
        uint8_t p = (uint8_t)(s[w] >> 8);
        uint64_t v = o->data[w];
        if (w == end) {
            end += part;
            bit = (uint16_t)(bit << 1);
        }
        if (p && vm_obj_is_edge(s[w], v)) {
            masked.ids = vm_fold(masked.ids ^ vm_ptr_id(v));
            v &= 0xffffffffu;
            masked.edges |= bit;
        } else if (p) {
            masked.raw |= p != 0xff;
        }
        words[w] = v;
    }
    return masked;
}

/* Publishes the hash: last, and with a release, since another machine may copy the object
 * meanwhile (flags_seen). */
static void finish_hash(struct vm_obj *o, struct masked masked, uint64_t hash, uint64_t key)
{
    o->hash = hash;
    o->key = key;
    o->edges = masked.edges;
    unsigned flags = (o->flags & ~VM_RAW) | VM_HASHED | (masked.raw ? VM_RAW : 0);
    __atomic_store_n(&o->flags, (uint8_t)flags, __ATOMIC_RELEASE);
}

/* Hashes what the hash leaves out: ids, and what only the machine knows of an object. */
static uint64_t key_of(const struct vm_obj *o, uint64_t hash, uint64_t ids)
{
    enum { KEPT = VM_VARIADIC | VM_JUMPED_TO | VM_STABLE };
    uint64_t rest = (uint64_t)o->link << 8 | (o->flags & KEPT);
    if (o->kind == VM_OBJ_STACK)
        rest = vm_fold(rest) ^ vm_obj_owner(o);
    for (uint32_t k = 0; o->kind & VM_OBJ_PROTECTED && k < vm_obj_pages(o->size); k++)
        rest = vm_fold(rest ^ vm_page_at(o, k));
    uint64_t key = vm_fold(hash ^ vm_fold(ids ^ vm_fold(o->site ^ vm_fold(rest))));
    return key ? key : 1;
}

/* Adds the rights of the pages, without the instructions that gave them. */
static uint64_t hash_pages(const struct vm_obj *o, uint64_t hash)
{
    for (uint32_t k = 0; k < vm_obj_pages(o->size); k++)
        hash = vm_fold(hash ^ vm_page_rights(vm_page_at(o, k)));
    return hash;
}

/* Hashes the words, with the shadow behind them, as in the object. */
void vm_obj_hash(struct vm_obj *o)
{
    uint32_t n = vm_obj_words(o);
    uint64_t small[80], *words = n <= 64 ? small : vm_alloc((size_t)n * 10);
    struct masked masked = mask_ids(o, words);
    memcpy(words + n, vm_obj_shadow(o), (size_t)n * 2);
    uint64_t seed = (uint64_t)o->size << 16 | (uint64_t)o->kind << 8 | (o->flags & VM_SHARED);
    uint64_t tid = vm_obj_tid(o);
    if (tid)
        words[VM_TID_WORD] = 0;
    if (o->kind == VM_OBJ_STACK) /* its end depends on which variable it is */
        seed += vm_fold(o->site);
    if (vm_obj_thread(o))
        seed += vm_fold(vm_obj_thread(o));
    uint64_t hash = XXH3_64bits_withSeed(words, (size_t)n * 10, seed);
    if (o->bits)
        hash = XXH3_64bits_withSeed(o->bits, o->size, hash);
    if (o->kind & VM_OBJ_PROTECTED)
        hash = hash_pages(o, hash);
    hash += vm_fold(tid);
    finish_hash(o, masked, hash, key_of(o, hash, masked.ids));
    if (words != small)
        free(words);
}

/* A word whose id is left out might equal one without an id: they differ in a bit of their
 * own. */
static void note_masked(const struct vm_obj *o, const uint64_t *words, uint8_t *bits)
{
    uint32_t n = vm_obj_words(o);
    memset(bits, 0, (n + 7) / 8);
    for (uint32_t w = 0; w < n; w++)
        if (words[w] != o->data[w])
            bits[w / 8] |= (uint8_t)(1 << w % 8);
}

void vm_obj_content_number(struct vm_obj *o, const struct vm_contents *contents)
{
    size_t n = vm_obj_words(o), masked = 1 + n + (n * 2 + 7) / 8,
           all = masked * 8 + (n + 7) / 8;
    uint64_t small[128], *at = small;
    size_t pages = o->kind & VM_OBJ_PROTECTED ? vm_obj_pages(o->size) : 0;
    if (all + (o->bits ? o->size : 0) + sizeof o->site + pages > sizeof small)
        at = vm_alloc(all + o->size + sizeof o->site + pages);
    at[0] = (uint64_t)vm_obj_thread(o) << 48 | (uint64_t)o->size << 16 |
            (uint64_t)o->kind << 8 | (o->flags & VM_SHARED) | (o->bits ? 1 : 0);
    struct masked pointers = mask_ids(o, at + 1);
    at[masked - 1] = 0;
    memcpy(at + 1 + n, vm_obj_shadow(o), n * 2);
    note_masked(o, at + 1, (uint8_t *)(at + masked));
    if (o->bits) {
        memcpy((char *)at + all, o->bits, o->size);
        all += o->size;
    }
    if (o->kind == VM_OBJ_STACK) {
        memcpy((char *)at + all, &o->site, sizeof o->site);
        all += sizeof o->site;
    }
    for (uint32_t k = 0; k < pages; k++)
        ((uint8_t *)at)[all++] = (uint8_t)vm_page_rights(vm_page_at(o, k));
    finish_hash(o, pointers, contents->number(contents->context, at, all), pointers.ids);
    if (at != small)
        free(at);
}

void vm_obj_valid(const struct vm_obj *o)
{
    const uint16_t *s = vm_obj_shadow((struct vm_obj *)o);
    assert(o->refs > 0);
    assert(vm_obj_kind(o) <= VM_OBJ_CONST);
    for (uint32_t w = 0; w < vm_obj_words(o); w++) {
        uint64_t mask = spread((uint8_t)s[w]);
        if (o->bits)
            for (unsigned k = 0; k < 8 && w * 8 + k < o->size; k++)
                mask |= (uint64_t)o->bits[w * 8 + k] << (8 * k);
        assert((o->data[w] & ~mask) == 0);
    }
}
