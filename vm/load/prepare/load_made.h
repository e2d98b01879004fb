/* load_made.h - which type debug metadata give to a call that allocates, and which variable
 * gets the result of one that chooses.  They are noted before local variables are put in
 * registers, and asked for when calls are translated.  Belongs to the loader. */
#ifndef VM_LOAD_MADE_H
#define VM_LOAD_MADE_H

#include "vm/load/load.h"

void load_note_made(struct loader *l, LLVMValueRef function);
struct vm_variable load_made(struct loader *l, LLVMValueRef call);

#endif
