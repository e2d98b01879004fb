/* load_debug.h - what the debug information says: source places, names, types of variables.
 *
 * Strings belong to the program. */
#ifndef VM_LOAD_DEBUG_H
#define VM_LOAD_DEBUG_H

#include <llvm-c/Core.h>

#include "vm/load/load.h"

uint32_t load_location(struct loader *l, LLVMValueRef instruction);
/* The number of a lexical block or function in scope_parents; 0 if it is neither. */
uint32_t load_scope_number(struct loader *l, LLVMMetadataRef scope);
uint32_t load_function_location(struct loader *l, LLVMValueRef function);
/* Returns the type of a node (load_type.c), or NULL.  Typedefs are left out. */
const struct vm_type *load_type(struct loader *l, LLVMMetadataRef md);
/* Returns the type of a value for which there is no debug information: integers are signed, and
 * a struct has none (NULL). */
const struct vm_type *load_plain_type(struct loader *l, LLVMTypeRef type);
const char *load_type_name(struct loader *l, LLVMMetadataRef type); /* or "" */
const char *load_md_string(struct loader *l, LLVMMetadataRef md);   /* or NULL */
/* The type of a variable of the user's; NULL for one of a test framework or of libc++, which is
 * declared there, is of a class of the framework, or made by one of its macros. */
const struct vm_type *load_variable_type(struct loader *l, LLVMMetadataRef variable);
bool load_is_of_framework(struct loader *l, LLVMMetadataRef type);
const struct vm_type *load_global_type(struct loader *l, LLVMValueRef global);
/* Returns a global variable's name as the source has it: "Queue<int>::push". */
const char *load_global_name(struct loader *l, LLVMValueRef global);
const char *load_function_name(struct loader *l, LLVMValueRef function);
/* Does a function of Catch2 make the object of a test with a fixture, as its local variable? */
bool load_makes_fixture(LLVMValueRef function);
/* Puts the source's names of a function's local variables into a map: alloca to its number in
 * variables + 1. */
void load_variable_names(struct loader *l, LLVMValueRef function, struct map *names);
bool load_is_header(struct loader *l, LLVMValueRef function); /* from libc++'s headers */
bool load_is_header_scope(struct loader *l, LLVMMetadataRef scope);
/* The path of a scope's file, or "", and the line of its function, or 0. */
const char *load_scope_file(struct loader *l, LLVMMetadataRef scope);
unsigned load_scope_line(struct loader *l, LLVMMetadataRef scope);
/* The path of the file that was compiled, or "". */
const char *load_unit_file(struct loader *l, LLVMMetadataRef scope);
/* The mangled name of the function that a scope is in, or NULL. */
const char *load_linkage_name(struct loader *l, LLVMMetadataRef scope);
bool load_is_cxx(struct loader *l, LLVMValueRef function); /* known to be written in C++ */
/* Is the function known to be defined without a prototype, as only C can? */
bool load_is_unprototyped(struct loader *l, LLVMValueRef function);
/* Returns an operand of a metadata node, or NULL. */
LLVMMetadataRef load_operand(struct loader *l, LLVMMetadataRef node, unsigned k);
LLVMMetadataRef load_variable(struct loader *l, LLVMValueRef global); /* or NULL */
/* DWARF's tags. */
enum load_tag {
    TAG_ARRAY = 0x01,
    TAG_CLASS = 0x02,
    TAG_ENUM = 0x04,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_REFERENCE = 0x10,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_INHERITANCE = 0x1c,
    TAG_BASE = 0x24,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_RVALUE_REFERENCE = 0x42,
    TAG_ATOMIC = 0x47,
};
/* Was the function compiled with VM_SCOPES? */
bool load_has_scopes(struct loader *l, LLVMValueRef function);

#endif
