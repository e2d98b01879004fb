/* load_asm_text.c - recognises by its text the inline assembly that tests of concurrent code
 * use: hints to the processor, fences, reading its counter of cycles, asking what it can. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/prepare/load_asm_text.h"

/* Appends a character; words and statements are separated by one space, and a comma by none. */
static char *put(const char *begin, char *to, char c)
{
    bool space = isspace((unsigned char)c) || c == ';';
    if (space && (to == begin || to[-1] == ' ' || to[-1] == ','))
        return to;
    if (c == ',' && to != begin && to[-1] == ' ')
        to--;
    *to++ = space ? ' ' : (char)tolower((unsigned char)c);
    return to;
}

/* Returns the text without comments.  LLVM's text has $ twice. */
static char *simplified(const char *text, size_t n)
{
    char *simple = vm_alloc(n + 2), *to = simple;
    for (const char *end = text + n; text < end; text++) {
        if (*text == '#') {
            const char *newline = memchr(text, '\n', (size_t)(end - text));
            if (!newline)
                break;
            text = newline;
        }
        to = put(simple, to, *text);
        text += *text == '$' && text + 1 < end && text[1] == '$';
    }
    to = put(simple, to, ' ');
    *to = 0;
    return simple;
}

/* Does the text go on with this phrase?  If so, steps over it. */
static bool takes(const char **text, const char *phrase)
{
    size_t n = strlen(phrase);
    bool same = !strncmp(*text, phrase, n);
    *text += same ? n : 0;
    return same;
}

/* Steps over "lock; addl $0,-8(%rsp)", which changes nothing and orders everything. */
static bool takes_locked(const char **text)
{
    const char *at = *text;
    if (!takes(&at, "lock ") || (!takes(&at, "add") && !takes(&at, "or")))
        return false;
    at += *at == 'l' || *at == 'q';
    if (!takes(&at, " $0,") && !takes(&at, " $0x0,"))
        return false;
    at += *at == '-';
    at += strspn(at, "0123456789");
    bool good = takes(&at, "(%rsp) ") || takes(&at, "(%esp) ");
    *text = good ? at : *text;
    return good;
}

/* Steps over one phrase of the kind that is asked for. */
static bool takes_one(const char **text, enum load_asm kind)
{
    static const struct {
        const char *phrase;
        enum load_asm kind;
    } table[] = {
        {"nop ", LOAD_ASM_HINT},
        {"pause ", LOAD_ASM_HINT},
        {"rep nop ", LOAD_ASM_HINT},
        {"repe nop ", LOAD_ASM_HINT},
        {"repz nop ", LOAD_ASM_HINT},
        {"yield ", LOAD_ASM_HINT},
        {"isb sy ", LOAD_ASM_HINT},
        {"isb ", LOAD_ASM_HINT},
        {"wfe ", LOAD_ASM_HINT},
        {"sev ", LOAD_ASM_HINT},
        {"mfence ", LOAD_ASM_FENCE},
        {"lfence ", LOAD_ASM_LIGHT_FENCE},
        {"sfence ", LOAD_ASM_LIGHT_FENCE},
        {"dmb ish ", LOAD_ASM_FENCE},
        {"dmb ishld ", LOAD_ASM_FENCE},
        {"dmb ishst ", LOAD_ASM_FENCE},
        {"dmb sy ", LOAD_ASM_FENCE},
        {"dsb sy ", LOAD_ASM_FENCE},
        {"rdtsc shl $32,%rdx or %rdx,%rax ", LOAD_ASM_CYCLES},
        {"rdtsc shl $32,%rdx or %rdx,$0 ", LOAD_ASM_CYCLES},
        {"rdtsc shlq $32,%rdx orq %rdx,%rax ", LOAD_ASM_CYCLES},
        {"rdtsc shlq $32,%rdx orq %rdx,$0 ", LOAD_ASM_CYCLES},
        {"rdtsc ", LOAD_ASM_CYCLES_HALVES},
        {"rdtscp ", LOAD_ASM_CYCLES_HALVES},
        {"cpuid ", LOAD_ASM_FEATURES},
        {"xchgq %rbx,${1:q} cpuid xchgq %rbx,${1:q} ", LOAD_ASM_FEATURES},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].kind == kind && takes(text, table[k].phrase))
            return true;
    return kind == LOAD_ASM_FENCE && takes_locked(text);
}

/* Hints and fences around a phrase of another kind do not change its kind. */
enum load_asm load_asm_kind(const char *text, size_t n)
{
    char *simple = simplified(text, n);
    const char *at = simple;
    enum load_asm kind = LOAD_ASM_HINT;
    while (*at) {
        enum load_asm next = LOAD_ASM_HINT;
        while (next < LOAD_ASM_OTHER && !takes_one(&at, next))
            next++;
        if (next == LOAD_ASM_OTHER || (kind > LOAD_ASM_FENCE && next > LOAD_ASM_FENCE)) {
            kind = LOAD_ASM_OTHER;
            break;
        }
        kind = next > kind ? next : kind;
    }
    free(simple);
    return kind;
}
