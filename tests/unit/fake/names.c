/* names.c - the toy machine of vm.c has no names. */
#include "vm/vm.h"

struct vm_names *vm_names_open(void)
{
    return NULL;
}

void vm_names_write(const struct vm_names *names, struct vm_bytes *out)
{
    (void)names;
    *out = (struct vm_bytes){0};
}

void vm_names_read(struct vm_names *names, const unsigned char *bytes, size_t n)
{
    (void)names, (void)bytes, (void)n;
}

void vm_names_close(struct vm_names *names)
{
    (void)names;
}

/* ---- of variables, functions and frames, which queries ask for ------------------- */

bool vm_read_bytes(const struct vm *vm, uint64_t addr, uint32_t size, uint64_t *value)
{
    (void)vm, (void)addr, (void)size, (void)value;
    return false;
}

size_t vm_view_threads(const struct vm *vm, struct vm_view_thread *threads, size_t max)
{
    (void)vm, (void)threads, (void)max;
    return 0;
}

uint64_t vm_caller(const struct vm *vm, uint64_t frame)
{
    (void)vm, (void)frame;
    return 0;
}

bool vm_frame_place(const struct vm *vm, uint64_t frame, struct vm_place *place)
{
    (void)vm, (void)frame, (void)place;
    return false;
}

const char *vm_frame_name(const struct vm *vm, uint64_t frame)
{
    (void)vm, (void)frame;
    return "";
}

const struct vm_type *vm_chosen(const struct vm *vm, uint64_t frame, char *name, size_t n)
{
    (void)vm, (void)frame;
    if (n)
        *name = 0;
    return NULL;
}

bool vm_frame_is_of(const struct vm *vm, uint64_t frame, uint32_t function)
{
    (void)vm, (void)frame, (void)function;
    return false;
}

bool vm_frame_enters(const struct vm *vm, uint64_t frame)
{
    (void)vm, (void)frame;
    return false;
}

bool vm_has_ended(const struct vm *vm, uint64_t handle)
{
    (void)vm, (void)handle;
    return false;
}

uint64_t vm_local(const struct vm *vm, uint64_t frame,
                  const struct vm_variable *const *variables, size_t n)
{
    (void)vm, (void)frame, (void)variables, (void)n;
    return 0;
}

void vm_list_globals(const struct vm_program *program, vm_know *know, void *context)
{
    (void)program, (void)know, (void)context;
}

void vm_list_functions(const struct vm_program *program, vm_know *know, void *context)
{
    (void)program, (void)know, (void)context;
}

void vm_list_locals(const struct vm_program *program, uint32_t function, vm_know *know,
                    void *context)
{
    (void)program, (void)function, (void)know, (void)context;
}

void vm_list_thread_locals(const struct vm_program *program, vm_know *know, void *context)
{
    (void)program, (void)know, (void)context;
}

void vm_list_types(const struct vm_program *program, vm_know *know, void *context)
{
    (void)program, (void)know, (void)context;
}

uint64_t vm_thread_local(const struct vm *vm, uint64_t tid, uint32_t number)
{
    (void)vm, (void)tid, (void)number;
    return 0;
}

bool vm_read_bits(const struct vm *vm, uint64_t addr, uint32_t first, uint32_t bits,
                  uint64_t *value)
{
    (void)vm, (void)addr, (void)first, (void)bits, (void)value;
    return false;
}

const char *vm_global_name(const struct vm *vm, uint64_t addr)
{
    (void)vm, (void)addr;
    return "";
}

struct vm_coming vm_coming(const struct vm *vm, uint64_t thread)
{
    (void)vm, (void)thread;
    return (struct vm_coming){0};
}

uint64_t vm_pending_thread(const struct vm *vm, int alternative)
{
    (void)vm, (void)alternative;
    return 0;
}
