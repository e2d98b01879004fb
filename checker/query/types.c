/* types.c - types of values: of the program's variables, and of C's own. */
#include <string.h>

#include "checker/query/tree.h"

static bool is_signed_enum(const struct vm_type *t)
{
    for (uint32_t k = 0; k < t->n; k++)
        if (t->member[k].offset >> 63)
            return true;
    return false;
}

struct value_type query_type_of(const struct vm_type *t)
{
    struct value_type type = {.kind = VALUE_OBJECT, .of = t};
    if (!t || t->size > 8)
        return type;
    switch (t->kind) {
    case VM_TYPE_FLOAT: type.kind = VALUE_FLOAT; break;
    case VM_TYPE_SIGNED:
    case VM_TYPE_UNSIGNED:
    case VM_TYPE_BOOL:
    case VM_TYPE_CHAR:
    case VM_TYPE_ENUM: type.kind = VALUE_INTEGER; break;
    case VM_TYPE_POINTER: type.kind = VALUE_POINTER; break;
    case VM_TYPE_OTHER:
    case VM_TYPE_ARRAY:
    case VM_TYPE_STRUCT:
    case VM_TYPE_UNION: return type;
    }
    type.size = (uint8_t)t->size;
    type.is_signed = t->kind == VM_TYPE_SIGNED || t->kind == VM_TYPE_FLOAT ||
                     (t->kind == VM_TYPE_CHAR && strcmp(t->name, "char8_t") != 0) ||
                     (t->kind == VM_TYPE_ENUM && is_signed_enum(t));
    return type;
}

static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += n) {
        bool begins = at == text || at[-1] == ' ', ends = !at[n] || at[n] == ' ';
        if (begins && ends)
            return true;
    }
    return false;
}

bool query_base_type(const char *text, struct vm_type *t)
{
    static const struct {
        const char *word;
        enum vm_type_kind kind;
        uint64_t size;
    } words[] = {
        {"_Bool", VM_TYPE_BOOL, 1},        {"bool", VM_TYPE_BOOL, 1},
        {"float", VM_TYPE_FLOAT, 4},       {"double", VM_TYPE_FLOAT, 8},
        {"char", VM_TYPE_SIGNED, 1},       {"short", VM_TYPE_SIGNED, 2},
        {"long", VM_TYPE_SIGNED, 8},       {"int8_t", VM_TYPE_SIGNED, 1},
        {"int16_t", VM_TYPE_SIGNED, 2},    {"int32_t", VM_TYPE_SIGNED, 4},
        {"int64_t", VM_TYPE_SIGNED, 8},    {"ssize_t", VM_TYPE_SIGNED, 8},
        {"intptr_t", VM_TYPE_SIGNED, 8},   {"ptrdiff_t", VM_TYPE_SIGNED, 8},
        {"uint8_t", VM_TYPE_UNSIGNED, 1},  {"uint16_t", VM_TYPE_UNSIGNED, 2},
        {"uint32_t", VM_TYPE_UNSIGNED, 4}, {"uint64_t", VM_TYPE_UNSIGNED, 8},
        {"size_t", VM_TYPE_UNSIGNED, 8},   {"uintptr_t", VM_TYPE_UNSIGNED, 8},
        {"int", VM_TYPE_SIGNED, 4},        {"signed", VM_TYPE_SIGNED, 4},
        {"unsigned", VM_TYPE_SIGNED, 4},
    };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (!has_word(text, words[k].word))
            continue;
        t->kind = words[k].kind;
        t->size = words[k].size;
        if (t->kind == VM_TYPE_SIGNED && has_word(text, "unsigned"))
            t->kind = VM_TYPE_UNSIGNED;
        return !(t->kind == VM_TYPE_FLOAT && has_word(text, "long"));
    }
    return false;
}
