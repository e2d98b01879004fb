/* lookup.h - variables, functions and types of a program, for expressions over variables; a
 * part of vm.h. */
#ifndef VM_LOOKUP_H
#define VM_LOOKUP_H

#include <stddef.h>
#include <stdint.h>

#include "type.h"

struct vm_program;
struct vm;

/* A global variable with a type, a function of the user's, or a local variable that is in
 * memory. */
struct vm_known {
    const char *name;
    const struct vm_type *type;
    uint64_t addr;                      /* of a global variable */
    const struct vm_variable *variable; /* a local one */
    uint32_t function;                  /* its number, of a function */
    uint32_t number;                    /* of a thread-local variable */
};
typedef void vm_know(void *context, const struct vm_known *known);
void vm_list_globals(const struct vm_program *program, vm_know *know, void *context);
void vm_list_functions(const struct vm_program *program, vm_know *know, void *context);
/* Lists the user's thread-local variables; and the types of its variables, with its enumerators
 * if it was loaded with a watch. */
void vm_list_thread_locals(const struct vm_program *program, vm_know *know, void *context);
void vm_list_types(const struct vm_program *program, vm_know *know, void *context);
void vm_list_locals(const struct vm_program *program, uint32_t function, vm_know *know,
                    void *context);

/* Writes the name of the variable that gets the result of the call that the program's own code
 * is in, in this frame or a caller.  Returns its type; NULL, and "": it is not known. */
const struct vm_type *vm_chosen(const struct vm *vm, uint64_t frame, char *name, size_t n);

#endif
