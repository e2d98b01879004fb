/* interp_memory.h - the interpreter's accesses to memory, where all is defined, in bounds,
 * aligned and of no matter to others; everything else goes on at slow_load, slow_store.
 * For vm_interpret alone: these macros use its variables and labels.
 *
 * Loops go through arrays, so accesses at an index find their object in a small table of
 * those that were accessed lately.  It is owned by vm_interpret, and forgotten when anything
 * may have changed: after each slow path. */
#ifndef VM_INTERP_MEMORY_H
#define VM_INTERP_MEMORY_H

#include "vm/machine.h"

/* A table of unwatched objects that were accessed lately and that no slow path has had a chance
 * to change, free or replace. */
enum { LATELY = 8 };
struct lately {
    uint32_t
        id[LATELY]; /* the upper half of a pointer; one that does not belong here if none */
    uint32_t size[LATELY];
    struct vm_obj *obj[LATELY];
    uint16_t *shadow[LATELY];
};

static inline void forget(struct lately *l)
{
    memset(l->id, 0, sizeof l->id);
    l->id[0] = 1; /* not 0, which is an id that belongs there */
}

/* Puts the object of p into the table; false if the object must not be in it. */
__attribute__((noinline, preserve_most)) static inline bool
find(struct lately *l, const struct vm_heap *heap, uint64_t p, unsigned watch)
{
    struct vm_obj *o = vm_heap_peek(heap, p);
    unsigned slot = vm_ptr_id(p) % LATELY;
    if (!o || vm_obj_marks(o) & watch)
        return false;
    l->id[slot] = vm_ptr_id(p);
    l->size[slot] = o->size;
    l->obj[slot] = o;
    l->shadow[slot] = vm_obj_shadow(o);
    return true;
}

/* Copies an object whose being shared with a state is the only reason why a store cannot be
 * done at once; true if it was.  Then the instruction begins again. */
__attribute__((noinline)) static bool make_own(struct vm_heap *heap, uint64_t p, unsigned watch)
{
    struct vm_obj *o = vm_heap_peek(heap, p);
    if (!o || vm_obj_marks(o) & (watch | (VM_OWNED | VM_PAGED) << VM_KINDS) ||
        o->kind == VM_OBJ_CONST)
        return false;
    vm_heap_copy_on_write(heap, p);
    return true;
}

#define OWNED ((unsigned)VM_OWNED << VM_KINDS)
#define OFFSET ((uint32_t)((uint32_t)p + ip->b))
/* Is the access not aligned naturally or as the author has promised, or not inside?  The sum
 * does not wrap around: an access that begins less than its size before the object is not
 * aligned. */
#define OUTSIDE(o, off, bytes) \
    ((off) & (((bytes) - 1) | ip->flags) || (off) + ((bytes) - 1) >= (o)->size)
#define WITHIN(off, bytes) ((bytes) == 8 ? 0 : (off) & 7) /* its word */
#define LOAD(name, type, bytes, narrow)                                             \
    L_##name:                                                                       \
    {                                                                               \
        uint64_t p = R[ip->a];                                                      \
        uint64_t off = OFFSET;                                                      \
        struct vm_obj *o = vm_heap_peek(heap, p);                                   \
        if (__builtin_expect(S[ip->a] != POINTER || !o || OUTSIDE(o, off, bytes) || \
                                 vm_obj_marks(o) & watch,                           \
                             0))                                                    \
            goto slow_load;                                                         \
        unsigned sh = (unsigned)vm_obj_shadow(o)[off >> 3] >> WITHIN(off, bytes);   \
        unsigned m = (1u << (bytes)) - 1;                                           \
        if (__builtin_expect((sh & m) != m, 0))                                     \
            goto slow_load;                                                         \
        type v;                                                                     \
        memcpy(&v, (const char *)o->data + off, sizeof v);                          \
        R[ip->d] = narrow ? v & LOW(ip->w) : v;                                     \
        S[ip->d] = (uint16_t)(DEFINED | (sh & m << 8));                             \
        NEXT;                                                                       \
    }
#define STORE(name, type, bytes)                                                    \
    L_##name:                                                                       \
    {                                                                               \
        uint64_t p = R[ip->a];                                                      \
        uint64_t off = OFFSET;                                                      \
        struct vm_obj *o = vm_heap_peek(heap, p);                                   \
        if (__builtin_expect(S[ip->a] != POINTER || !o || OUTSIDE(o, off, bytes) || \
                                 (vm_obj_marks(o) & (watch | OWNED)) != OWNED ||    \
                                 (o->flags & told && S[ip->d] == POINTER) ||        \
                                 (S[ip->d] != DEFINED && S[ip->d] != POINTER),      \
                             0))                                                    \
            goto slow_store;                                                        \
        type v = (type)R[ip->d];                                                    \
        memcpy((char *)o->data + off, &v, sizeof v);                                \
        uint16_t *s = &vm_obj_shadow(o)[off >> 3];                                  \
        unsigned m = (1u << (bytes)) - 1, at = WITHIN(off, bytes);                  \
        unsigned ptr = (unsigned)S[ip->d] >> 8 & m;                                 \
        *s = (uint16_t)((*s & ~(m << 8 << at)) | m << at | ptr << 8 << at);         \
        NEXT;                                                                       \
    }

/* ---- elements of arrays ---------------------------------------------------------- */
#define LOG2(bytes) ((bytes) == 8 ? 3 : (bytes) / 2)
#define ALL(bytes) ((1u << (bytes)) - 1)
/* Makes an offset a number of elements; one that is not aligned, or negative, becomes too
 * great. */
#define NUMBER(off, bytes) ((off) >> LOG2(bytes) | (off) << (-LOG2(bytes) & 63))
#define INDEX_OFFSET \
    ((uint64_t)(SEXT(R[ip->b], ip->w) * ip->scale + ip->offset + (int32_t)(uint32_t)R[ip->a]))
#define ALIGNED_INDEX ((INDEX_OFFSET & ip->flags) == 0)
#define SMALL_INDEX \
    (S[ip->b] == DEFINED && (uint64_t)SEXT(R[ip->b], ip->w) + 0x40000000 < 0x80000000)
#define ID(p) vm_ptr_id(p)
#define OBJECT(p) lately.obj[ID(p) % LATELY]
#define ELEMENT_SHADOW(p, number, bytes) \
    (lately.shadow[ID(p) % LATELY][number >> (3 - LOG2(bytes))])
#define ELEMENT_BYTE(number, bytes) (number << LOG2(bytes) & 7)
/* Finds the element `number` of the object that R[m->a] points to, if the shadow says that it
 * may be: sets p.  An object that is not in the table is put there, and the instruction begins
 * again. */
#define FIND(m, number, bytes, otherwise)                                          \
    uint64_t p = R[(m)->a];                                                        \
    if (__builtin_expect(S[(m)->a] != POINTER, 0))                                 \
        goto otherwise;                                                            \
    if (__builtin_expect(lately.id[ID(p) % LATELY] != ID(p), 0)) {                 \
        if (find(&lately, heap, p, watch))                                         \
            goto *label[ip->op];                                                   \
        goto otherwise;                                                            \
    }                                                                              \
    if (__builtin_expect(number >= lately.size[ID(p) % LATELY] >> LOG2(bytes), 0)) \
    goto otherwise
/* Loads the element into R[ip->d] and goes on after m. */
#define LOAD_ELEMENT(m, index, type, bytes, otherwise)                                 \
    do {                                                                               \
        uint64_t number = NUMBER(index, bytes);                                        \
        FIND(m, number, bytes, otherwise);                                             \
        unsigned sh =                                                                  \
            (unsigned)ELEMENT_SHADOW(p, number, bytes) >> ELEMENT_BYTE(number, bytes); \
        if (__builtin_expect((sh & ALL(bytes)) != ALL(bytes), 0))                      \
            goto otherwise;                                                            \
        type v;                                                                        \
        memcpy(&v, (const char *)OBJECT(p)->data + number * (bytes), sizeof v);        \
        R[ip->d] = v;                                                                  \
        S[ip->d] = (uint16_t)(DEFINED | (sh & ALL(bytes) << 8));                       \
        count += (uint64_t)((m) - ip);                                                 \
        ip = (m);                                                                      \
        NEXT;                                                                          \
    } while (0)
#define LOADX(name, type, bytes)                                                        \
    L_##name : if (__builtin_expect(!SMALL_INDEX || !ALIGNED_INDEX, 0)) goto slow_load; \
    LOAD_ELEMENT(ip, INDEX_OFFSET, type, bytes, slow_load);
#define STOREX(name, type, bytes)                                                              \
    L_##name:                                                                                  \
    {                                                                                          \
        if (__builtin_expect(!SMALL_INDEX || !ALIGNED_INDEX ||                                 \
                                 (S[ip->d] != DEFINED && S[ip->d] != POINTER),                 \
                             0))                                                               \
            goto slow_store;                                                                   \
        uint64_t number = NUMBER(INDEX_OFFSET, bytes);                                         \
        FIND(ip, number, bytes, slow_store);                                                   \
        if (__builtin_expect(!(OBJECT(p)->flags & VM_OWNED) ||                                 \
                                 (OBJECT(p)->flags & told && S[ip->d] == POINTER),             \
                             0))                                                               \
            goto slow_store;                                                                   \
        type v = (type)R[ip->d];                                                               \
        memcpy((char *)OBJECT(p)->data + number * (bytes), &v, sizeof v);                      \
        uint16_t *s = &ELEMENT_SHADOW(p, number, bytes);                                       \
        unsigned at = ELEMENT_BYTE(number, bytes), ptr = (unsigned)S[ip->d] >> 8 & ALL(bytes); \
        *s = (uint16_t)((*s & ~(ALL(bytes) << 8 << at)) | ALL(bytes) << at | ptr << 8 << at);  \
        NEXT;                                                                                  \
    }

#endif
