/* load_layout.h - what the debug metadata say of an address, while local variables are in
 * memory.
 *
 * A struct load_declared is the caller's, from its init to its fini. */
#ifndef VM_LOAD_LAYOUT_H
#define VM_LOAD_LAYOUT_H

#include <llvm-c/Core.h>

#include "vm/load/load.h"
#include "vm/load/table.h"

struct load_declared {
    struct loader *l;
    struct map places;     /* of a function's local variables in `types`, + 1 */
    struct list types;     /* LLVMMetadataRef */
    struct list variables; /* likewise */
};
void load_declared_init(struct load_declared *d, struct loader *l, LLVMValueRef function);
void load_declared_fini(struct load_declared *d);
/* The type of the object of so many bytes at an address; NULL: not known. */
LLVMMetadataRef load_type_at(struct load_declared *d, LLVMValueRef address, uint64_t size);
/* The local variable at an address, or NULL. */
LLVMMetadataRef load_declared_variable(const struct load_declared *d, LLVMValueRef address);
/* Writes the name of a scalar variable, or part of one, at an address, "config.mode"; false:
 * not known. */
bool load_place_name(const struct load_declared *d, LLVMValueRef address, char *text, size_t n);
/* The type that a pointer type points to, without qualifiers; NULL if it is not a pointer type.
 */
LLVMMetadataRef load_pointee(struct loader *l, LLVMMetadataRef type);
bool load_is_scalar(LLVMMetadataRef type);
/* Sets the bits of a type that hold its values, from bit `at` of words on; all others are
 * padding.  False if they are not known. */
bool load_value_bits(struct loader *l, LLVMMetadataRef type, uint64_t at, uint64_t *words,
                     uint64_t nbits);

#endif
