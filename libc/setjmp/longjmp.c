/* longjmp.c - musl's restores machine registers; ours resumes a frame.
 *
 * setjmp is an instruction of the machine: it stores the running frame, where to
 * go on, and which register its result is in, into the first words of the buffer,
 * and returns 0. */
#include <setjmp.h>

#include "os/mode.h"
#include "os/signal.h"

_Noreturn void longjmp(jmp_buf buf, int value)
{
    unsigned long *word = buf->__jb;
    struct vm_frame *frame = (struct vm_frame *)word[0];
    os_enter();
    os_leave_handlers(frame);
    os_leave();
    frame->pc = (void (*)(void))word[1];
    frame->reg[word[2]] = value ? (unsigned)value : 1;
    __divm_control(VM_REG_FRAME, VM_SET, (uint64_t)frame);
    __builtin_unreachable();
}

_Noreturn void _longjmp(jmp_buf buf, int value)
{
    longjmp(buf, value);
}
