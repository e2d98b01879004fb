/* load_made.h - what is allocated where: the types that debug metadata give to calls that
 * allocate.  Noted before local variables are put in registers; asked for when calls are
 * translated.  Belongs to the loader. */
#ifndef VM_LOAD_MADE_H
#define VM_LOAD_MADE_H

#include "vm/load/load.h"

void load_note_made(struct loader *l, LLVMValueRef function);
struct vm_variable load_made(struct loader *l, LLVMValueRef call);

#endif
