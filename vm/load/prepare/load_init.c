/* load_init.c - constructors and destructors that a program puts into sections.
 *
 * A linker makes lists of the pointers that variables in .init_array, .fini_array and their
 * like have.  What is not where the linker says stays a variable; the pointers join those of
 * llvm.global_ctors and llvm.global_dtors, which clang makes of attributes and would put into
 * the same sections, behind them.  The order is that of GNU's linker: what has a number comes
 * first, by its number; .ctors and .dtors count downwards, and are read from their end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/table.h"

struct section {
    const char *name, *list;
    bool backwards, first; /* first: before all others */
};

static const struct section sections[] = {
    {".preinit_array", "llvm.global_ctors", .first = true},
    {".init_array", "llvm.global_ctors", .first = false},
    {".ctors", "llvm.global_ctors", .backwards = true},
    {".fini_array", "llvm.global_dtors", .first = false},
    {".dtors", "llvm.global_dtors", .backwards = true},
};
enum { NSECTIONS = sizeof sections / sizeof *sections };

/* The entries for a list that come from one section of a module. */
struct entries {
    struct loader *l;
    LLVMValueRef variable;
    struct list list; /* LLVMValueRef: { priority, function, data } */
    uint32_t priority;
};

/* Returns the section that a variable is in, and what comes after its name: "" or a dot and a
 * number. */
static const struct section *section_of(LLVMValueRef g, const char **number)
{
    const char *section = LLVMIsDeclaration(g) ? NULL : LLVMGetSection(g);
    for (size_t k = 0; section && k < NSECTIONS; k++) {
        size_t n = strlen(sections[k].name);
        if (strncmp(section, sections[k].name, n) || (section[n] && section[n] != '.'))
            continue;
        *number = section + n;
        return &sections[k];
    }
    return NULL;
}

/* Finds the priority by which load_structors sorts. */
static bool find_priority(struct loader *l, LLVMValueRef g, const struct section *section,
                          const char *text, uint32_t *priority)
{
    char *end = NULL;
    unsigned long number = *text ? strtoul(text + 1, &end, 10) : 0;
    bool good = !*text || (text[1] >= '0' && text[1] <= '9' && !*end && number <= 65535);
    if (!good || (*text && section->first))
        return load_fail(l, "%s: section %s%s is not supported", LLVMGetValueName(g),
                         section->name, text);
    if (section->first)
        *priority = LOAD_FIRST;
    else if (!*text)
        *priority = LOAD_LAST;
    else
        *priority = (uint32_t)(section->backwards ? 65535 - number : number);
    if (*text && *priority == LOAD_LAST)
        *priority = LOAD_NEARLY_LAST;
    return true;
}

static void add_entry(struct entries *e, LLVMValueRef pointer)
{
    LLVMContextRef c = e->l->context;
    LLVMTypeRef address = LLVMPointerTypeInContext(c, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMIntegerTypeKind)
        pointer = LLVMConstIntToPtr(pointer, address);
    LLVMValueRef fields[] = {LLVMConstInt(LLVMInt32TypeInContext(c), e->priority, false),
                             pointer, LLVMConstNull(address)};
    list_push(&e->list, &(LLVMValueRef){LLVMConstStructInContext(c, fields, 3, false)});
}

/* Adds the pointers of a constant, in order. */
static bool add_entries(struct entries *e, LLVMValueRef constant, int depth)
{
    LLVMTypeRef t = LLVMTypeOf(constant);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    bool is_struct = kind == LLVMStructTypeKind;
    bool word = kind == LLVMPointerTypeKind ||
                (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 64);
    if (word && !LLVMIsNull(constant)) {
        add_entry(e, constant);
        return true;
    }
    if (LLVMIsNull(constant) || depth == 0 || (!is_struct && kind != LLVMArrayTypeKind))
        return load_fail(e->l, "%s: has no function in section %s",
                         LLVMGetValueName(e->variable), LLVMGetSection(e->variable));
    unsigned n = is_struct ? LLVMCountStructElementTypes(t) : (unsigned)LLVMGetArrayLength2(t);
    for (unsigned k = 0; k < n; k++)
        if (!add_entries(e, LLVMGetAggregateElement(constant, k), depth - 1))
            return false;
    return true;
}

static void turn_round(struct list *list, size_t from)
{
    LLVMValueRef *entry = list->data;
    for (size_t to = list->n; from + 1 < to; from++, to--) {
        LLVMValueRef last = entry[to - 1];
        entry[to - 1] = entry[from];
        entry[from] = last;
    }
}

static bool collect(struct entries *e, LLVMModuleRef module, const struct section *wanted)
{
    const char *number;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (section_of(g, &number) != wanted)
            continue;
        e->variable = g;
        if (!find_priority(e->l, g, wanted, number, &e->priority) ||
            !add_entries(e, LLVMGetInitializer(g), 4))
            return false;
    }
    return true;
}

/* Appends what clang has put into the list: it comes last. */
static void append_old(struct entries *e, LLVMValueRef old)
{
    LLVMValueRef list = old ? LLVMGetInitializer(old) : NULL;
    if (!list || LLVMGetTypeKind(LLVMTypeOf(list)) != LLVMArrayTypeKind || LLVMIsNull(list))
        return;
    for (unsigned k = 0; k < LLVMGetArrayLength2(LLVMTypeOf(list)); k++)
        list_push(&e->list, &(LLVMValueRef){LLVMGetAggregateElement(list, k)});
}

static bool join_list(struct loader *l, LLVMModuleRef module, const char *name)
{
    struct entries e = {.l = l, .list.item = sizeof(LLVMValueRef)};
    bool ok = true;
    for (size_t k = 0; k < NSECTIONS && ok; k++) {
        size_t from = e.list.n;
        if (strcmp(sections[k].list, name))
            continue;
        ok = collect(&e, module, &sections[k]);
        if (sections[k].backwards)
            turn_round(&e.list, from);
    }
    LLVMValueRef old = LLVMGetNamedGlobal(module, name);
    if (ok && e.list.n) {
        append_old(&e, old);
        if (old)
            LLVMDeleteGlobal(old);
        LLVMTypeRef each = LLVMTypeOf(((LLVMValueRef *)e.list.data)[0]);
        LLVMValueRef made = LLVMAddGlobal(module, LLVMArrayType2(each, e.list.n), name);
        LLVMSetInitializer(made, LLVMConstArray2(each, e.list.data, e.list.n));
        LLVMSetLinkage(made, LLVMAppendingLinkage);
    }
    free(e.list.data);
    return ok;
}

bool load_sections(struct loader *l, LLVMModuleRef module)
{
    return join_list(l, module, "llvm.global_ctors") &&
           join_list(l, module, "llvm.global_dtors");
}
