/* load_type.c - types from debug metadata, each made once, since types may lead back to
 * themselves.  See load_debug.c for the order of operands; subrange: count, ... */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/load/load.h"
#include "vm/load/load_debug.h"

enum {
    MAX_DEPTH = 200,
    MAX_MEMBERS = 256,
    STATIC_MEMBER = 1 << 12,
    BIT_FIELD = 1 << 19,
    ENUM_CLASS = 1 << 24
};

static const struct vm_type *type(struct loader *l, LLVMMetadataRef md, int depth);

/* The C API has no getter for DWARF's encoding, but the names of C's types tell it. */
static enum vm_type_kind kind_of_base(const char *name)
{
    static const struct {
        const char *name;
        enum vm_type_kind kind;
    } kinds[] = {
        {"_Bool", VM_TYPE_BOOL},         {"bool", VM_TYPE_BOOL},
        {"float", VM_TYPE_FLOAT},        {"double", VM_TYPE_FLOAT},
        {"long double", VM_TYPE_OTHER},  {"char", VM_TYPE_CHAR},
        {"signed char", VM_TYPE_SIGNED}, {"char8_t", VM_TYPE_CHAR},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (!strcmp(name, kinds[k].name))
            return kinds[k].kind;
    if (strstr(name, "unsigned") || !strncmp(name, "char", 4))
        return VM_TYPE_UNSIGNED;
    return strstr(name, "int") || strstr(name, "long") || strstr(name, "short") ||
                   strstr(name, "wchar_t")
               ? VM_TYPE_SIGNED
               : VM_TYPE_OTHER;
}

/* The C API has no getter for an enumerator's value. */
static uint64_t enumerator_value(struct loader *l, LLVMMetadataRef enumerator)
{
    static const char value[] = "value: ";
    char *text = LLVMPrintValueToString(LLVMMetadataAsValue(l->context, enumerator));
    const char *at = strstr(text, value);
    uint64_t number = 0;
    if (at && at[sizeof value - 1] == '-')
        number = (uint64_t)strtoll(at + sizeof value - 1, NULL, 10);
    else if (at)
        number = strtoull(at + sizeof value - 1, NULL, 10);
    LLVMDisposeMessage(text);
    return number;
}

static bool is_part(LLVMMetadataRef md, bool enumerators)
{
    if (enumerators)
        return md && LLVMGetMetadataKind(md) == LLVMDIEnumeratorMetadataKind;
    if (!md || LLVMGetMetadataKind(md) != LLVMDIDerivedTypeMetadataKind)
        return false;
    unsigned tag = LLVMGetDINodeTag(md);
    return tag == TAG_INHERITANCE ||
           (tag == TAG_MEMBER && !(LLVMDITypeGetFlags(md) & STATIC_MEMBER));
}

/* "State::Idle" where State is an enum class. */
static const char *enumerator_name(struct loader *l, const struct vm_type *t,
                                   LLVMMetadataRef enumerator, bool scoped)
{
    char text[256];
    const char *name = load_md_string(l, load_operand(l, enumerator, 0));
    const char *last = strrchr(t->name, ':');
    if (!name || !scoped || !*t->name)
        return name;
    int n = snprintf(text, sizeof text, "%s::%s", last ? last + 1 : t->name, name);
    return n < (int)sizeof text ? load_string(l, text, (size_t)n) : name;
}

static void add_member(struct loader *l, struct vm_type *t, LLVMMetadataRef whole,
                       LLVMMetadataRef md, int depth)
{
    struct vm_type_member *m = &t->member[t->n++];
    if (t->kind == VM_TYPE_ENUM) {
        m->name = enumerator_name(l, t, md, LLVMDITypeGetFlags(whole) & ENUM_CLASS);
        m->offset = enumerator_value(l, md);
    } else {
        m->name = LLVMGetDINodeTag(md) == TAG_MEMBER ? load_md_string(l, load_operand(l, md, 2))
                                                     : NULL;
        m->offset = LLVMDITypeGetOffsetInBits(md) / 8;
        m->type = type(l, load_operand(l, md, 3), depth + 1);
        if (LLVMDITypeGetFlags(md) & BIT_FIELD) {
            m->field = m->type;
            m->type = NULL;
            m->first = (uint8_t)(LLVMDITypeGetOffsetInBits(md) % 8);
            m->bits = (uint8_t)LLVMDITypeGetSizeInBits(md);
        }
    }
    m->name = m->name ? m->name : "";
}

static void add_members(struct loader *l, struct vm_type *t, LLVMMetadataRef md, int depth)
{
    LLVMMetadataRef elements = load_operand(l, md, 4);
    if (!elements)
        return;
    unsigned n = (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(l->context, elements));
    if (n > MAX_MEMBERS)
        return;
    unsigned parts = 0;
    for (unsigned k = 0; k < n; k++)
        parts += is_part(load_operand(l, elements, k), t->kind == VM_TYPE_ENUM);
    t->member = load_alloc(l, parts * sizeof *t->member);
    for (unsigned k = 0; k < n; k++) {
        LLVMMetadataRef part = load_operand(l, elements, k);
        if (is_part(part, t->kind == VM_TYPE_ENUM))
            add_member(l, t, md, part, depth);
    }
}

/* Returns the length of a subrange, its first operand; 0 if it is not known. */
static uint64_t count_of(struct loader *l, LLVMMetadataRef subrange)
{
    LLVMValueRef v = LLVMMetadataAsValue(l->context, subrange), ops[8] = {NULL};
    unsigned n = (unsigned)LLVMGetMDNodeNumOperands(v);
    if (!n || n > 8)
        return 0;
    LLVMGetMDNodeOperands(v, ops);
    return ops[0] && LLVMIsAConstantInt(ops[0]) ? LLVMConstIntGetZExtValue(ops[0]) : 0;
}

/* Makes an array of several dimensions, which is one node with a subrange for each, an array of
 * arrays. */
static void fill_array(struct loader *l, struct vm_type *t, LLVMMetadataRef md, int depth)
{
    LLVMMetadataRef ranges = load_operand(l, md, 4);
    unsigned n =
        ranges ? (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(l->context, ranges))
               : 0;
    t->kind = VM_TYPE_ARRAY;
    t->element = type(l, load_operand(l, md, 3), depth + 1);
    for (unsigned k = n; t->element && t->element->size && k-- > 1;) {
        struct vm_type *inner = load_alloc(l, sizeof *inner);
        *inner = (struct vm_type){.kind = VM_TYPE_ARRAY, .name = "", .element = t->element};
        inner->n = (uint32_t)count_of(l, load_operand(l, ranges, k));
        inner->size = inner->n * t->element->size;
        t->element = inner;
    }
    t->n = t->element && t->element->size ? (uint32_t)(t->size / t->element->size) : 0;
}

static void fill(struct loader *l, struct vm_type *t, LLVMMetadataRef md, int depth)
{
    t->size = LLVMDITypeGetSizeInBits(md) / 8;
    switch ((int)LLVMGetDINodeTag(md)) {
    case TAG_BASE: t->kind = kind_of_base(t->name); break;
    case TAG_ENUM:
        t->kind = VM_TYPE_ENUM;
        add_members(l, t, md, depth);
        break;
    case TAG_POINTER:
    case TAG_REFERENCE:
    case TAG_RVALUE_REFERENCE:
        t->kind = VM_TYPE_POINTER;
        t->element = type(l, load_operand(l, md, 3), depth + 1);
        break;
    case TAG_ARRAY: fill_array(l, t, md, depth); break;
    case TAG_STRUCT:
    case TAG_CLASS:
    case TAG_UNION:
        t->kind = LLVMGetDINodeTag(md) == TAG_UNION ? VM_TYPE_UNION : VM_TYPE_STRUCT;
        add_members(l, t, md, depth);
        break;
    default: break;
    }
}

static bool is_alias(unsigned tag)
{
    return tag == TAG_TYPEDEF || tag == TAG_CONST || tag == TAG_VOLATILE || tag == TAG_ATOMIC ||
           tag == TAG_RESTRICT;
}

/* Returns the type behind typedefs.  A type without a name of its own gets that of its
 * typedef. */
static const struct vm_type *behind_alias(struct loader *l, LLVMMetadataRef md, int depth)
{
    struct vm_type *t = (struct vm_type *)type(l, load_operand(l, md, 3), depth + 1);
    if (t && !*t->name && LLVMGetDINodeTag(md) == TAG_TYPEDEF)
        t->name = load_type_name(l, md);
    return t;
}

static const struct vm_type *type(struct loader *l, LLVMMetadataRef md, int depth)
{
    if (!md || depth > MAX_DEPTH)
        return NULL;
    uint32_t known = map_get(&l->debug_types, md);
    if (known)
        return ((struct vm_type **)l->debug_types_out.data)[known - 1];
    if (is_alias(LLVMGetDINodeTag(md)))
        return behind_alias(l, md, depth);
    struct vm_type *t = load_alloc(l, sizeof *t);
    list_push(&l->debug_types_out, &t);
    map_put(&l->debug_types, md, (uint32_t)l->debug_types_out.n);
    t->name = load_type_name(l, md);
    fill(l, t, md, depth);
    return t;
}

const struct vm_type *load_plain_type(struct loader *l, LLVMTypeRef type)
{
    struct vm_type t = {.name = ""};
    unsigned bits = 64;
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        bits = LLVMGetIntTypeWidth(type);
        t.kind = bits == 1 ? VM_TYPE_BOOL : VM_TYPE_SIGNED;
        break;
    case LLVMFloatTypeKind:
        bits = 32;
        t.kind = VM_TYPE_FLOAT;
        break;
    case LLVMDoubleTypeKind: t.kind = VM_TYPE_FLOAT; break;
    case LLVMPointerTypeKind: t.kind = VM_TYPE_POINTER; break;
    case LLVMArrayTypeKind:
        t.kind = VM_TYPE_ARRAY;
        t.n = (uint32_t)LLVMGetArrayLength2(type);
        t.element = load_plain_type(l, LLVMGetElementType(type));
        break;
    default: return NULL;
    }
    if (t.kind == VM_TYPE_ARRAY && !t.element)
        return NULL;
    t.size = t.kind == VM_TYPE_ARRAY ? t.n * t.element->size : (bits + 7) / 8;
    struct vm_type *made = load_alloc(l, sizeof *made);
    *made = t;
    return made;
}

const struct vm_type *load_type(struct loader *l, LLVMMetadataRef md)
{
    return type(l, md, 0);
}
