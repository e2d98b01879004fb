/* access.h - accesses of memory that the interpreter does not do itself, and what is checked
 * before them: bounds, lifetimes, page protections, owners, undefined bytes. */
#ifndef VM_ACCESS_H
#define VM_ACCESS_H

#include "vm/machine.h"

/* access.c */
enum vm_step vm_slow_load(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum vm_step vm_slow_store(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum vm_step vm_block(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum vm_step vm_copy_argument(struct vm *vm, const struct vm_insn *i, struct vm_obj *f);
enum { VM_VA_LIST = 24 /* bytes */ };
/* Does the only plain access of the running instruction, which begins again unless this returns
 * NEXT.  shadow: the pointer's, as in a register. */
enum vm_step vm_access_plainly(struct vm *vm, uint64_t p, uint16_t shadow, uint64_t size,
                               bool write, struct vm_obj **o);
/* NEXT if size bytes at p may be read (or written); else the fault. */
enum vm_step vm_check(struct vm *vm, uint64_t p, uint8_t pointer, uint64_t size, bool write,
                      struct vm_obj **o);
/* Checks as vm_check does, where only `part` of the bytes will be accessed. */
enum vm_step vm_check_part(struct vm *vm, uint64_t p, uint8_t pointer, uint64_t size,
                           bool write, uint64_t part, struct vm_obj **o);

/* protect.c.  NEXT if the protection of the pages of size bytes at p, which are inside the
 * object, lets them be read (or written); else the fault, or the running thread has to wait for
 * others first (late.h). */
enum vm_step vm_ask_pages(struct vm *vm, const struct vm_obj *o, uint64_t p, uint64_t size,
                          bool write);
/* protect.c: sets and gets VM_REG_PROTECT. */
enum vm_step vm_protect(struct vm *vm, uint64_t request);
uint64_t vm_protection_of(struct vm *vm, uint64_t p, uint16_t shadow);

/* owner.c, for programs that hide pointers in numbers.  vm_owner_take: a new object belongs to
 * the running thread until the thread ends (vm_owner_end).  vm_owner_ask: an object is
 * accessed, whoever owns it. */
void vm_owner_take(struct vm *vm, uint64_t p);
void vm_owner_end(struct vm *vm);
void vm_owner_ask_slowly(struct vm *vm, const struct vm_obj *o);
static inline void vm_owner_ask(struct vm *vm, const struct vm_obj *o)
{
    if (__builtin_expect(vm->heap.owners, 0))
        vm_owner_ask_slowly(vm, o);
}
/* Marks objects as exposed.  vm_expose: the address p becomes a number.  vm_expose_ends:
 * pointers of which n bytes at p are a part become numbers.  vm_expose_copied: so do pointers
 * whose bytes are copied to another place in their words. */
void vm_expose(struct vm *vm, uint64_t p);
void vm_expose_ends(struct vm *vm, uint64_t p, uint64_t n);
void vm_expose_copied(struct vm *vm, uint64_t to, uint64_t from, uint64_t n);

/* blame.c: writes ", read from ..." if it is known where the undefined value of the running
 * instruction comes from; else "". */
void vm_blame(const struct vm *vm, char *text, size_t size);

#endif
