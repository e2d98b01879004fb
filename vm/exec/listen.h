/* listen.h - events for listeners, and what is remembered for their texts. */
#ifndef VM_LISTEN_H
#define VM_LISTEN_H

#include "vm/machine.h"

/* Traces (__divm_trace) of these kinds matter even if nobody listens. */
static inline bool vm_trace_is_heard(uint64_t kind)
{
    kind &= 255;
    return kind == VM_TRACE_OUTPUT || kind == VM_TRACE_ERROR || kind == VM_TRACE_OBJECT;
}

/* failure.c: notes a fault, or an error that the guest tells; and the object that it is
 * about. */
void vm_note_failure(struct vm *vm, enum vm_fault_kind kind);
void vm_note_failed_object(struct vm *vm, uint64_t p);

/* listen.c */
void vm_emit(struct vm *vm, struct vm_event *event);
void vm_note_made(struct vm *vm, uint64_t p);
void vm_note_freed(struct vm *vm, uint64_t p);
bool vm_was_local(const struct vm *vm, uint64_t p); /* false if nobody listens */
/* notes.c.  vm_note_variable: a NOTE is executed in frame object f, the running frame's.  The
 * others forget the notes of a frame that has just begun, and all notes. */
void vm_note_variable(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f);
void vm_note_frame(struct vm *vm, uint64_t frame);
void vm_notes_free(struct vm_history *history);
void vm_note_access(struct vm *vm, const struct vm_range *range);
/* Tells where a thread last accessed a range in this way, and returns that place; 0 if nobody
 * listens. */
uint64_t vm_tell_access(struct vm *vm, uint64_t owner, const struct vm_range *range);
/* vm_tell_origin: tells where the object at p was allocated, and where it was freed or ended.
 * vm_tell_described: the same of the object that the last message describes. */
void vm_tell_origin(struct vm *vm, uint64_t p);
void vm_tell_described(struct vm *vm);
/* Returns the instruction that is to be told as the one that is being executed: that of the
 * innermost frame which is the program's own or has something of the program inlined. */
uint64_t vm_told_site(const struct vm *vm);
/* As vm_describe, for an access of so many bytes: of a struct the member that has them.  (An
 * array is called by its name.) */
void vm_describe_access(const struct vm *vm, uint64_t addr, uint64_t bytes, char *text,
                        size_t size);
/* Writes "f at x.c:12". */
void vm_describe_site(const struct vm *vm, uint64_t site, char *text, size_t size);
/* vm_note_undefined: notes a load of undefined bytes, for vm_blame.  vm_undefined_read: where
 * the last such load of a frame's instruction read, or 0. */
void vm_note_undefined(struct vm *vm, const struct vm_insn *i, uint64_t p, uint64_t mask);
uint64_t vm_undefined_read(const struct vm *vm, uint64_t frame, uint32_t insn);

#endif
