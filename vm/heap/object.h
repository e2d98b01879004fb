/* object.h - an object of the graph memory: data, shadow, a few attributes.
 *
 * The shadow has one 16-bit word per 8 bytes of data: bit k of the low byte
 * says that byte k is wholly defined, bit k of the high byte that it is part of
 * a pointer.  A byte defined in part has its low bit clear and its mask in
 * bits[]; undefined bits hold 0.
 *
 * Ownership: reference-counted, by the machine that made it.  An object is written only
 * while it is marked OWNED in the heap; all others are immutable but for the hash, which they
 * may get later.  Another thread may look at one of a state, and copy it (vm_obj_clone,
 * vm_obj_alike), as long as the state is there. */
#ifndef VM_OBJECT_H
#define VM_OBJECT_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pointer.h"
#include "refs.h"

enum {
    VM_OWNED = 1,      /* one heap may write it */
    VM_SHARED = 2,     /* several threads may reach it */
    VM_HASHED = 4,     /* hash is valid */
    VM_RAW = 8,        /* a pointer in it is not whole and aligned (valid if HASHED) */
    VM_VARIADIC = 16,  /* the variadic arguments of a call */
    VM_PAGED = 32,     /* one machine's; states have its pages (pages.h) */
    VM_JUMPED_TO = 64, /* a frame that called setjmp */
    VM_STABLE = 64,    /* the kernel's or thread-local: has an id for good (inchash.h) */
    VM_VTABLE = 64,    /* a constant: C++'s table of virtual functions */
    VM_GUARDED = 64,   /* a local variable or allocation: has an owner (owner.c) */
    VM_LOGGED = 128,   /* the kernel's: accesses are listed if they are wanted (access_log.c) */
};

/* The pointer bits of a number that was computed from a pointer and has none of its bytes any
 * more: no piece of a pointer has these bits. */
enum { VM_DERIVED = 0xa0 };

enum { VM_PARTS = 16 };

struct vm_contents;

struct vm_obj {
    uint32_t refs;
    uint32_t size; /* bytes */
    uint8_t kind;  /* enum vm_obj_kind */
    uint8_t flags;
    uint16_t edges; /* bit k: there is one in this 16th of the words (valid if HASHED) */
    uint32_t link;  /* frames: last alloca made; allocas: the one before; named: the number */
    uint64_t site;  /* code pointer of the user's instruction that made it */
    uint64_t hash;  /* of contents, ids of heap pointers left out; or their number */
    uint64_t key;   /* of all there is, not 0 (valid if HASHED, but for numbers) */
    uint8_t *bits;  /* exact masks of partly defined bytes, or NULL */
    uint64_t data[];
};

/* The flags and the kind of an object as one number: the kind is the lower byte. */
enum { VM_KINDS = 8 };
static inline unsigned vm_obj_marks(const struct vm_obj *o)
{
    uint16_t marks;
    memcpy(&marks, &o->kind, sizeof marks);
    return marks;
}
/* Returns the kind without the bit that tells of protections. */
static inline uint8_t vm_obj_kind(const struct vm_obj *o)
{
    return o->kind & (uint8_t)~VM_OBJ_PROTECTED;
}
/* Is it one of the program's own allocations? */
static inline bool vm_obj_is_heap(const struct vm_obj *o)
{
    return o->kind < VM_OBJ_KERNEL;
}
static inline uint32_t vm_obj_words(const struct vm_obj *o)
{
    return (o->size + 7) / 8;
}
static inline uint8_t *vm_obj_bytes(struct vm_obj *o)
{
    return (uint8_t *)o->data;
}
static inline uint16_t *vm_obj_shadow(struct vm_obj *o)
{
    return (uint16_t *)(o->data + vm_obj_words(o));
}

static inline uint32_t vm_obj_pages(uint32_t size)
{
    return size / VM_PAGE_BYTES + (size % VM_PAGE_BYTES != 0);
}
/* Returns the bytes behind the head: data, shadow; of an alloca the frame that it belongs to,
 * and where there are protections a word for each page (protect.h). */
static inline size_t vm_obj_tail(uint32_t size, uint8_t kind)
{
    size_t pages = kind & VM_OBJ_PROTECTED ? vm_obj_pages(size) * sizeof(uint64_t) : 0;
    return ((size_t)size + 7) / 8 * 10 + (kind == VM_OBJ_STACK ? sizeof(uint32_t) : pages);
}
/* Returns the index of the frame that an alloca belongs to. */
static inline uint32_t vm_obj_owner(const struct vm_obj *o)
{
    uint32_t owner;
    memcpy(&owner, vm_obj_shadow((struct vm_obj *)o) + vm_obj_words(o), sizeof owner);
    return owner;
}
static inline void vm_obj_set_owner(struct vm_obj *o, uint32_t owner)
{
    memcpy(vm_obj_shadow(o) + vm_obj_words(o), &owner, sizeof owner);
}

/* Is `link` a number for a stable id (inchash.h)? */
static inline bool vm_obj_is_stable(const struct vm_obj *o)
{
    return o->flags & VM_STABLE && (o->kind == VM_OBJ_KERNEL || o->kind == VM_OBJ_TLS);
}
/* Returns the number of the thread that an allocation belongs to, where allocations have
 * owners; else 0. */
static inline uint32_t vm_obj_thread(const struct vm_obj *o)
{
    return vm_obj_is_heap(o) ? o->link : 0;
}

/* Returns how many words a bit of `edges` stands for. */
static inline uint32_t vm_obj_part(const struct vm_obj *o)
{
    return (vm_obj_words(o) + VM_PARTS - 1) / VM_PARTS;
}
/* Is the word a pointer whose id the hash leaves out? */
static inline bool vm_obj_is_edge(uint16_t shadow, uint64_t value)
{
    return shadow >> 8 == 0xff && vm_ptr_id(value) && vm_ptr_region(value) <= VM_ID_FRAME;
}
/* Calls visit with each edge, in order. */
static inline void vm_obj_each_edge(const struct vm_obj *o,
                                    void (*visit)(void *context, uint64_t edge), void *context)
{
    const uint16_t *s = vm_obj_shadow((struct vm_obj *)o);
    uint32_t n = vm_obj_words(o), part = vm_obj_part(o);
    uint32_t parts = o->flags & VM_HASHED ? o->edges : (1u << VM_PARTS) - 1;
    if (o->flags & VM_HASHED && n <= VM_PARTS) { /* each bit is an edge */
        for (; parts; parts &= parts - 1) {
            uint32_t w = (uint32_t)__builtin_ctz(parts);
#ifdef DIVM_DEBUG
            assert(vm_obj_is_edge(s[w], o->data[w]));
#endif
            visit(context, o->data[w]);
        }
        return;
    }
    for (; parts; parts &= parts - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(parts) * part, end = w + part < n ? w + part : n;
        for (; w < end; w++)
            if (vm_obj_is_edge(s[w], o->data[w]))
                visit(context, o->data[w]);
    }
}

/* Returns a new object of undefined bytes (a frame's registers are defined zeros), with one
 * reference. */
struct vm_obj *vm_obj_new(uint32_t size, uint8_t kind);
/* Returns a copy to be written, without a hash. */
struct vm_obj *vm_obj_copy(const struct vm_obj *o);
/* Returns a copy of another kind, which differs in VM_OBJ_PROTECTED.  It is owned, or to be
 * written, as this one is; its protections allow everything. */
struct vm_obj *vm_obj_of_kind(const struct vm_obj *o, uint8_t kind);
/* Returns a copy to be read, with the hash if the object has one. */
struct vm_obj *vm_obj_clone(const struct vm_obj *o);
/* Can each replace the other?  Both are to be read; false for objects with masks, or without a
 * hash. */
bool vm_obj_alike(const struct vm_obj *o, const struct vm_obj *other);
/* Returns the key; 0 if the object has no hash, or if other threads than its own do not know it
 * yet. */
uint64_t vm_obj_key_seen(const struct vm_obj *o);
void vm_obj_delete(struct vm_obj *o);

static inline struct vm_obj *vm_obj_retain(struct vm_obj *o)
{
    vm_ref_take(&o->refs);
    return o;
}
static inline void vm_obj_release(struct vm_obj *o)
{
    if (vm_ref_drop(&o->refs))
        vm_obj_delete(o);
}

/* Returns the 64-bit mask of defined bits of the n <= 8 bytes at off. */
uint64_t vm_obj_mask_slow(const struct vm_obj *o, uint32_t off, uint32_t n);
static inline uint64_t vm_obj_mask(const struct vm_obj *o, uint32_t off, uint32_t n)
{
    unsigned all = (1u << n) - 1, at = off % 8;
    if (at + n <= 8 && (vm_obj_shadow((struct vm_obj *)o)[off / 8] >> at & all) == all)
        return n == 8 ? ~0ull : ((uint64_t)1 << (8 * n)) - 1;
    return vm_obj_mask_slow(o, off, n);
}

/* Returns the product of 64 x 64 bits, folded: as in XXH3 and its like. */
static inline uint64_t vm_fold_product(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}
static inline uint64_t vm_fold(uint64_t x)
{
    return vm_fold_product(x ^ 0x2d358dccaa6c78a5, 0x9e3779b97f4a7c15);
}

/* A thread's record has the thread's number, and an even number as an object; its hash is the
 * hash of the rest and vm_fold(tid). */
enum { VM_TID_WORD = offsetof(struct vm_trace_run, tid) / 8 };
static inline uint64_t vm_obj_tid(const struct vm_obj *o)
{
    bool thread = o->flags & VM_STABLE && o->kind == VM_OBJ_KERNEL && o->link % 2 == 0;
    return thread && o->size >= sizeof(struct vm_trace_run) ? o->data[VM_TID_WORD] : 0;
}

/* Stores n <= 8 bytes: value, defined bits, pointer bits (bit k: byte k). */
void vm_obj_put_slow(struct vm_obj *o, uint32_t off, uint32_t n, uint64_t value, uint64_t mask,
                     uint8_t pointer);
static inline void vm_obj_put(struct vm_obj *o, uint32_t off, uint32_t n, uint64_t value,
                              uint64_t mask, uint8_t pointer)
{
    unsigned all = (1u << n) - 1, at = off % 8;
    if (at + n > 8 || mask != ~0ull || o->bits) {
        vm_obj_put_slow(o, off, n, value, mask, pointer);
        return;
    }
    uint16_t *s = &vm_obj_shadow(o)[off / 8];
    memcpy((uint8_t *)o->data + off, &value, n);
    *s =
        (uint16_t)((*s & ~(all << 8 << at)) | all << at | (unsigned)(pointer & all) << 8 << at);
}
static inline uint64_t vm_obj_get(const struct vm_obj *o, uint32_t off, uint32_t n)
{
    const uint8_t *from = (const uint8_t *)o->data + off;
    uint64_t v = 0;
    if (n == 8) /* of a known size, this is one instruction of the host */
        memcpy(&v, from, 8);
    else if (n == 4)
        memcpy(&v, from, 4);
    else
        memcpy(&v, from, n);
    return v;
}
uint8_t vm_obj_pointer_slow(const struct vm_obj *o, uint32_t off, uint32_t n);
static inline uint8_t vm_obj_pointer(const struct vm_obj *o, uint32_t off, uint32_t n)
{
    unsigned at = off % 8;
    if (at + n > 8)
        return vm_obj_pointer_slow(o, off, n);
    return (uint8_t)(vm_obj_shadow((struct vm_obj *)o)[off / 8] >> 8 >> at & ((1u << n) - 1));
}
/* Moves bytes between (or within) objects, shadow included. */
void vm_obj_move(struct vm_obj *to, uint32_t to_off, const struct vm_obj *from,
                 uint32_t from_off, uint32_t n);
void vm_obj_fill(struct vm_obj *o, uint32_t off, uint32_t n, uint8_t byte, uint8_t mask);
/* Hashes contents, size, kind and sharing, and of an alloca the place where it was made, with
 * the ids of heap pointers left out. */
void vm_obj_hash(struct vm_obj *o);
/* Gives the object the number of its contents, which no others have. */
void vm_obj_content_number(struct vm_obj *o, const struct vm_contents *contents);
void vm_obj_valid(const struct vm_obj *o);

#endif
