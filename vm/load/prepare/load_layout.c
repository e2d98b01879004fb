/* load_layout.c - the type of what an address leads to, by the debug metadata, and which bits
 * of a type hold its values.  All others are padding. */
#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/prepare/load_layout.h"
#include "vm/load/table.h"

enum { MAX_DEPTH = 24, STATIC_MEMBER = 1 << 12, ONLY_DECLARED = 1 << 2 };

/* ---- types ----------------------------------------------------------------------- */

static LLVMMetadataRef base_of(struct loader *l, LLVMMetadataRef type)
{
    return load_operand(l, type, 3);
}

static uint64_t size_of(LLVMMetadataRef type)
{
    return LLVMDITypeGetSizeInBits(type);
}

/* Returns the type without typedefs and qualifiers. */
static LLVMMetadataRef bare(struct loader *l, LLVMMetadataRef type)
{
    for (int depth = 0; type && depth < MAX_DEPTH; depth++)
        switch ((int)LLVMGetDINodeTag(type)) {
        case TAG_TYPEDEF:
        case TAG_CONST:
        case TAG_VOLATILE:
        case TAG_RESTRICT:
        case TAG_ATOMIC: type = base_of(l, type); break;
        default: return type;
        }
    return NULL;
}

static bool is_compound(LLVMMetadataRef type)
{
    unsigned tag = LLVMGetDINodeTag(type);
    return tag == TAG_STRUCT || tag == TAG_CLASS || tag == TAG_UNION;
}

bool load_is_scalar(LLVMMetadataRef type)
{
    return !is_compound(type) && LLVMGetDINodeTag(type) != TAG_ARRAY;
}

/* Visits bases, and members that are in each object; false if visit says so, or if the parts
 * are not known. */
typedef bool see_part(struct loader *l, LLVMMetadataRef part, void *context);

static bool each_part(struct loader *l, LLVMMetadataRef type, see_part *see, void *context)
{
    LLVMMetadataRef elements = load_operand(l, type, 4);
    if (LLVMDITypeGetFlags(type) & ONLY_DECLARED || !elements)
        return false;
    unsigned n = (unsigned)LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(l->context, elements));
    for (unsigned k = 0; k < n; k++) {
        LLVMMetadataRef part = load_operand(l, elements, k);
        if (!part)
            return false;
        unsigned tag = LLVMGetDINodeTag(part);
        if ((tag == TAG_MEMBER || tag == TAG_INHERITANCE) &&
            !(LLVMDITypeGetFlags(part) & STATIC_MEMBER) && !see(l, part, context))
            return false;
    }
    return true;
}

/* ---- which bits are values ------------------------------------------------------- */

struct bits {
    uint64_t at, *words, n;
};

static bool set_bits(const struct bits *b, uint64_t size)
{
    if (b->at + size > b->n)
        return false;
    for (uint64_t k = b->at; k < b->at + size; k++)
        b->words[k / 64] |= 1ull << k % 64;
    return true;
}

/* Sets the bits of a scalar: numbers of the x87 have ten bytes. */
static bool set_scalar(struct loader *l, LLVMMetadataRef type, const struct bits *b)
{
    enum { LONG_DOUBLE = 80 };
    static const char name[] = "long double";
    unsigned n = 0;
    LLVMMetadataRef text = load_operand(l, type, 2);
    if (LLVMGetDINodeTag(type) != TAG_BASE || !text)
        return set_bits(b, size_of(type));
    const char *s = LLVMGetMDString(LLVMMetadataAsValue(l->context, text), &n);
    bool extended = n == sizeof name - 1 && !memcmp(s, name, n) && size_of(type) > LONG_DOUBLE;
    return set_bits(b, extended ? LONG_DOUBLE : size_of(type));
}

static bool set_array(struct loader *l, LLVMMetadataRef type, const struct bits *b)
{
    LLVMMetadataRef element = bare(l, base_of(l, type));
    uint64_t size = element ? size_of(element) : 0;
    if (!size)
        return false;
    for (uint64_t at = 0; at + size <= size_of(type); at += size)
        if (!load_value_bits(l, element, b->at + at, b->words, b->n))
            return false;
    return true;
}

/* Sets the bits of a member.  The type of a bit-field's member has the size of the field. */
static bool set_part(struct loader *l, LLVMMetadataRef part, void *context)
{
    struct bits b = *(const struct bits *)context;
    LLVMMetadataRef type = bare(l, base_of(l, part));
    b.at += LLVMDITypeGetOffsetInBits(part);
    if (!type)
        return false;
    if (LLVMGetDINodeTag(part) == TAG_MEMBER && size_of(part) < size_of(type))
        return set_bits(&b, size_of(part));
    return load_value_bits(l, type, b.at, b.words, b.n);
}

bool load_value_bits(struct loader *l, LLVMMetadataRef type, uint64_t at, uint64_t *words,
                     uint64_t nbits)
{
    struct bits b = {at, words, nbits};
    if (is_compound(type))
        return each_part(l, type, set_part, &b);
    return LLVMGetDINodeTag(type) == TAG_ARRAY ? set_array(l, type, &b)
                                               : set_scalar(l, type, &b);
}

/* ---- what is there --------------------------------------------------------------- */

void load_declared_init(struct load_declared *d, struct loader *l, LLVMValueRef function)
{
    *d = (struct load_declared){.l = l,
                                .types.item = sizeof(LLVMMetadataRef),
                                .variables.item = sizeof(LLVMMetadataRef)};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef object = NULL;
            if (!LLVMIsADbgDeclareInst(i))
                continue;
            LLVMGetMDNodeOperands(LLVMGetOperand(i, 0), &object);
            LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(i, 1));
            LLVMMetadataRef type = bare(l, load_operand(l, variable, 3));
            if (!object || !type)
                continue;
            list_push(&d->types, &type);
            list_push(&d->variables, &variable);
            map_put(&d->places, object, (uint32_t)d->types.n);
        }
}

void load_declared_fini(struct load_declared *d)
{
    map_fini(&d->places);
    free(d->types.data);
    free(d->variables.data);
}

LLVMMetadataRef load_declared_variable(const struct load_declared *d, LLVMValueRef address)
{
    uint32_t known = map_get(&d->places, address);
    return known ? ((LLVMMetadataRef *)d->variables.data)[known - 1] : NULL;
}

LLVMMetadataRef load_pointee(struct loader *l, LLVMMetadataRef type)
{
    LLVMMetadataRef plain = bare(l, type);
    unsigned tag = plain ? LLVMGetDINodeTag(plain) : 0;
    bool points = tag == TAG_POINTER || tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE;
    return points ? bare(l, base_of(l, plain)) : NULL;
}

/* A search for the part of a type that has so many bits, from a bit on; or for a pointer
 * there. */
struct wanted {
    uint64_t at, size;
    bool pointer;
    LLVMMetadataRef found;
};

static LLVMMetadataRef part_at(struct loader *l, LLVMMetadataRef type, struct wanted w,
                               int depth);

static bool find_part(struct loader *l, LLVMMetadataRef part, void *context)
{
    struct wanted *w = context, inner = *w;
    LLVMMetadataRef type = bare(l, base_of(l, part));
    uint64_t from = LLVMDITypeGetOffsetInBits(part);
    if (!type || w->at < from || w->at + w->size > from + size_of(type))
        return true;
    inner.at -= from;
    w->found = part_at(l, type, inner, MAX_DEPTH);
    return !w->found;
}

/* Returns the wanted part of a type.  A union may have several, so it has none. */
static LLVMMetadataRef part_at(struct loader *l, LLVMMetadataRef type, struct wanted w,
                               int depth)
{
    if (!type || !depth)
        return NULL;
    if (w.at == 0 && size_of(type) == w.size && !(w.pointer && is_compound(type)))
        return type;
    if (LLVMGetDINodeTag(type) == TAG_ARRAY) {
        LLVMMetadataRef element = bare(l, base_of(l, type));
        uint64_t each = element ? size_of(element) : 0;
        w.at = each ? w.at % each : 0;
        return each ? part_at(l, element, w, depth - 1) : NULL;
    }
    w.found = NULL;
    if (is_compound(type) && LLVMGetDINodeTag(type) != TAG_UNION)
        each_part(l, type, find_part, &w);
    return w.found;
}

/* Is it an offset from an address: an instruction, or part of a constant? */
static bool is_offset(LLVMValueRef p)
{
    return LLVMIsAGetElementPtrInst(p) ||
           (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr);
}

/* Follows an address back through its offsets to the address that they start from, and adds
 * them to *at.  An index that is not known counts as 0: elements are of one type. */
static LLVMValueRef walk_back(const struct load_declared *d, LLVMValueRef p, int64_t *at)
{
    while (is_offset(p)) {
        LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
        for (unsigned k = 1; k <= LLVMGetNumIndices(p); k++) {
            LLVMValueRef index = LLVMGetOperand(p, k);
            int64_t n = LLVMIsAConstantInt(index) ? LLVMConstIntGetSExtValue(index) : 0;
            if (k > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
                *at += (int64_t)LLVMOffsetOfElement(d->l->layout, t, (unsigned)n);
                t = LLVMStructGetTypeAtIndex(t, (unsigned)n);
                continue;
            }
            t = k > 1 ? LLVMGetElementType(t) : t;
            *at += n * (int64_t)LLVMABISizeOfType(d->l->layout, t);
        }
        p = LLVMGetOperand(p, 0);
    }
    return p;
}

/* Is it a call of std::addressof? */
static bool gives_its_argument(LLVMValueRef call)
{
    static const char name[] = "_ZNSt3__19addressof";
    LLVMValueRef f = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    return f && LLVMIsAFunction(f) && LLVMGetNumArgOperands(call) == 1 &&
           !strncmp(LLVMGetValueName(f), name, sizeof name - 1);
}

static LLVMMetadataRef type_at(struct load_declared *d, LLVMValueRef p, struct wanted w,
                               int depth);

/* Returns the type of the object that begins at an address. */
static LLVMMetadataRef whole_at(struct load_declared *d, LLVMValueRef p, int depth)
{
    enum { POINTER = 64 };
    static const struct wanted pointer = {.size = POINTER, .pointer = true};
    LLVMMetadataRef type = NULL;
    uint32_t known = map_get(&d->places, p);
    if (known)
        return ((LLVMMetadataRef *)d->types.data)[known - 1];
    if (LLVMIsALoadInst(p)) {
        type = type_at(d, LLVMGetOperand(p, 0), pointer, depth - 1);
        unsigned tag = type ? LLVMGetDINodeTag(type) : 0;
        bool points = tag == TAG_POINTER || tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE;
        return points ? bare(d->l, base_of(d->l, type)) : NULL;
    }
    LLVMMetadataRef variable = LLVMIsAGlobalVariable(p) ? load_variable(d->l, p) : NULL;
    return variable ? bare(d->l, load_operand(d->l, variable, 3)) : NULL;
}

static LLVMMetadataRef type_at(struct load_declared *d, LLVMValueRef p, struct wanted w,
                               int depth)
{
    int64_t at = 0, size;
    if (!depth)
        return NULL;
    p = walk_back(d, p, &at);
    if (gives_its_argument(p))
        return at ? NULL : type_at(d, LLVMGetOperand(p, 0), w, depth - 1);
    LLVMMetadataRef type = whole_at(d, p, depth);
    size = type ? (int64_t)size_of(type) / 8 : 0;
    if (!size)
        return NULL;
    w.at = (uint64_t)((at % size + size) % size) * 8;
    return part_at(d->l, type, w, MAX_DEPTH);
}

LLVMMetadataRef load_type_at(struct load_declared *d, LLVMValueRef address, uint64_t size)
{
    return type_at(d, address, (struct wanted){.size = size * 8}, MAX_DEPTH);
}

/* ---- what it is called ----------------------------------------------------------- */

struct naming {
    uint64_t at; /* bits that are left */
    char *text;
    size_t n;
    LLVMMetadataRef inner; /* the type of the part */
};

static void append(struct naming *naming, const char *format, const char *name, uint64_t number)
{
    size_t n = strlen(naming->text);
    if (name)
        snprintf(naming->text + n, naming->n - n, format, name);
    else
        snprintf(naming->text + n, naming->n - n, format, number);
}

/* Takes the step into the member that has the bit, if it is this one. */
static bool name_part(struct loader *l, LLVMMetadataRef part, void *context)
{
    struct naming *naming = context;
    LLVMMetadataRef type = bare(l, base_of(l, part)), name = load_operand(l, part, 2);
    uint64_t from = LLVMDITypeGetOffsetInBits(part);
    if (!type || naming->at < from || naming->at >= from + size_of(part))
        return true;
    naming->at -= from;
    naming->inner = type;
    if (name && LLVMGetDINodeTag(part) == TAG_MEMBER)
        append(naming, ".%s", load_md_string(l, name), 0);
    return false;
}

static LLVMMetadataRef name_inner(struct loader *l, LLVMMetadataRef type, struct naming *naming)
{
    naming->inner = NULL;
    if (LLVMGetDINodeTag(type) == TAG_UNION)
        return NULL;
    if (LLVMGetDINodeTag(type) != TAG_ARRAY) {
        each_part(l, type, name_part, naming);
        return naming->inner;
    }
    LLVMMetadataRef element = bare(l, base_of(l, type));
    uint64_t each = element ? size_of(element) : 0;
    if (!each)
        return NULL;
    append(naming, "[%" PRIu64 "]", NULL, naming->at / each);
    naming->at %= each;
    return element;
}

/* Follows an address back as walk_back does; NULL if an index is not known. */
static LLVMValueRef walk_back_exactly(const struct load_declared *d, LLVMValueRef p,
                                      int64_t *at)
{
    for (LLVMValueRef q = p; is_offset(q); q = LLVMGetOperand(q, 0))
        for (unsigned k = 1; k <= LLVMGetNumIndices(q); k++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(q, k)))
                return NULL;
    return walk_back(d, p, at);
}

bool load_place_name(const struct load_declared *d, LLVMValueRef address, char *text, size_t n)
{
    struct loader *l = d->l;
    int64_t at = 0;
    LLVMValueRef p = walk_back_exactly(d, address, &at);
    bool global = p && LLVMIsAGlobalVariable(p);
    LLVMMetadataRef variable = !p       ? NULL
                               : global ? load_variable(l, p)
                                        : load_declared_variable(d, p);
    LLVMMetadataRef type = variable ? bare(l, load_operand(l, variable, 3)) : NULL;
    const char *name = !type    ? NULL
                       : global ? load_global_name(l, p)
                                : load_md_string(l, load_operand(l, variable, 1));
    if (!name || at < 0 || (uint64_t)at * 8 >= size_of(type))
        return false;
    struct naming naming = {(uint64_t)at * 8, text, n, NULL};
    snprintf(text, n, "%s", name);
    for (int depth = 0; type && !load_is_scalar(type) && depth < MAX_DEPTH; depth++)
        type = name_inner(l, type, &naming);
    return type && load_is_scalar(type) && !naming.at;
}
