/* type.h - types as the debug metadata describe them: enough to name a part of an object, and
 * to write a value as the source would.  Written by vm/load/, immutable, a program's. */
#ifndef VM_TYPE_H
#define VM_TYPE_H

#include <stdint.h>

enum vm_type_kind {
    VM_TYPE_OTHER, /* a function, a type that is only declared */
    VM_TYPE_SIGNED,
    VM_TYPE_UNSIGNED,
    VM_TYPE_FLOAT,
    VM_TYPE_BOOL,
    VM_TYPE_CHAR,
    VM_TYPE_ENUM,
    VM_TYPE_POINTER, /* or a reference */
    VM_TYPE_ARRAY,
    VM_TYPE_STRUCT, /* or a class */
    VM_TYPE_UNION,
};

struct vm_type {
    enum vm_type_kind kind;
    uint32_t n;                    /* elements, members or enumerators */
    uint64_t size;                 /* in bytes */
    const char *name;              /* "node", "std::mutex"; "" if it has none */
    const struct vm_type *element; /* of an array, or what a pointer points to; NULL: unknown */
    struct vm_type_member *member; /* of a struct or union, or the enumerators of an enum */
};

struct vm_type_member {
    const char *name;           /* "" of a base class, and of a member without a name */
    uint64_t offset;            /* in bytes; of an enumerator, its value */
    const struct vm_type *type; /* NULL: unknown, or it is a bit-field, which has no bytes of
                                   its own: */
    const struct vm_type *field;
    uint8_t first, bits; /* from this bit of the byte at the offset on */
};

/* A local variable that is in memory, or what is allocated somewhere. */
struct vm_variable {
    const char *name;           /* NULL: none */
    const struct vm_type *type; /* NULL: unknown */
};

#endif
