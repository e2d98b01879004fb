/* load_asm_text.h - what a text of inline assembly does. */
#ifndef VM_LOAD_ASM_TEXT_H
#define VM_LOAD_ASM_TEXT_H

#include <stddef.h>

enum load_asm {
    LOAD_ASM_HINT,        /* or empty */
    LOAD_ASM_LIGHT_FENCE, /* lfence, sfence */
    LOAD_ASM_FENCE,
    LOAD_ASM_CYCLES,        /* ax is the counter */
    LOAD_ASM_CYCLES_HALVES, /* ax is its lower half, dx the upper one, cx 0 */
    LOAD_ASM_FEATURES,      /* none: all results are 0 */
    LOAD_ASM_OTHER
};
enum load_asm load_asm_kind(const char *text, size_t n);

#endif
