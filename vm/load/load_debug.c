/* load_debug.c - debug metadata: source places and names; load_type.c has the types.  What the
 * C API has no getter for is read from the operands of the metadata nodes, whose order LLVM 19
 * fixes:
 *   subprogram: file, scope, name, linkage name, type, unit     lexical block: file, scope
 *   compile unit: file, producer, flags
 *   namespace: file, scope, name                                local variable: scope, name
 *   global variable expression: variable
 *   variable: scope, name, file, type, name, linkage name, declaration in its class
 *   composite type: file, scope, name, base type, elements
 *   derived type: file, scope, name, base type */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "vm/cxx_name.h"
#include "vm/heap/memory.h"
#include "vm/load/link/load_names.h"
#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/table.h"

enum { MAX_OPERANDS = 256, MAX_DEPTH = 12 };

LLVMMetadataRef load_operand(struct loader *l, LLVMMetadataRef node, unsigned k)
{
    LLVMValueRef v = LLVMMetadataAsValue(l->context, node), ops[MAX_OPERANDS];
    unsigned n = (unsigned)LLVMGetMDNodeNumOperands(v);
    if (k >= n || n > MAX_OPERANDS)
        return NULL;
    LLVMGetMDNodeOperands(v, ops);
    return ops[k] ? LLVMValueAsMetadata(ops[k]) : NULL;
}

static const char *intern(struct loader *l, const char *s, size_t n)
{
    const void *key = (const void *)(uintptr_t)(XXH3_64bits(s, n) | 1);
    uint32_t i = map_get(&l->strings, key);
    if (i > 1)
        return ((const char **)l->names.data)[i - 2];
    const char *copy = load_string(l, s, n);
    list_push(&l->names, &copy);
    map_put(&l->strings, key, (uint32_t)l->names.n + 1);
    return copy;
}

const char *load_md_string(struct loader *l, LLVMMetadataRef md)
{
    unsigned n = 0;
    if (!md || LLVMGetMetadataKind(md) != LLVMMDStringMetadataKind)
        return NULL;
    const char *s = LLVMGetMDString(LLVMMetadataAsValue(l->context, md), &n);
    return intern(l, s, n);
}

/* ---- names ----------------------------------------------------------------------- */

static bool has_name(LLVMMetadataKind kind)
{
    return kind == LLVMDISubprogramMetadataKind || kind == LLVMDINamespaceMetadataKind ||
           kind == LLVMDICompositeTypeMetadataKind;
}

/* Writes a name as C++ qualifies it: "Queue<int>::push", with the names of its namespaces,
 * classes and functions.  Inline namespaces of libc++ are left out, and those without a name.
 */
static void qualify(struct loader *l, LLVMMetadataRef scope, char *text, size_t size, int depth)
{
    if (!scope || depth > MAX_DEPTH)
        return;
    LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
    if (kind == LLVMDIFileMetadataKind || kind == LLVMDICompileUnitMetadataKind)
        return;
    qualify(l, load_operand(l, scope, 1), text, size, depth + 1);
    if (!has_name(kind))
        return;
    const char *name = load_md_string(l, load_operand(l, scope, 2));
    if (kind == LLVMDINamespaceMetadataKind && (!name || !strncmp(name, "__", 2)))
        return;
    const char *unnamed = kind == LLVMDICompositeTypeMetadataKind ? "lambda" : "(anonymous)";
    size_t n = strlen(text);
    snprintf(text + n, size - n, "%s%s", n ? "::" : "", name ? name : unnamed);
}

/* Returns the function that a scope is in. */
static LLVMMetadataRef subprogram_of(struct loader *l, LLVMMetadataRef scope)
{
    int depth = 0;
    while (scope && depth++ < 64 && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind)
        scope = load_operand(l, scope, 1);
    return scope;
}

const char *load_type_name(struct loader *l, LLVMMetadataRef type)
{
    char text[512] = "";
    LLVMMetadataRef scope = load_operand(l, type, 1);
    const char *name = load_md_string(l, load_operand(l, type, 2));
    LLVMMetadataKind kind = LLVMGetMetadataKind(type);
    bool base = kind == LLVMDIBasicTypeMetadataKind;
    if (!name || kind == LLVMDISubroutineTypeMetadataKind)
        return "";
    if (!base && subprogram_of(l, scope) != scope)
        qualify(l, scope, text, sizeof text, 0);
    size_t n = strlen(text);
    snprintf(text + n, sizeof text - n, "%s%s", n ? "::" : "", name);
    vm_cxx_name_shorten(text);
    return intern(l, text, strlen(text));
}

static const char *function_of(struct loader *l, LLVMMetadataRef scope)
{
    char text[512] = "";
    qualify(l, subprogram_of(l, scope), text, sizeof text, 0);
    vm_cxx_name_shorten(text);
    return intern(l, text, strlen(text));
}

const char *load_function_name(struct loader *l, LLVMValueRef f)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    const char *name = LLVMGetValueName(f);
    return subprogram && !strncmp(name, "_Z", 2) ? function_of(l, subprogram)
                                                 : intern(l, name, load_name_length(name));
}

/* Is the file a header or a source of a test framework?  Some are a folder in the user's
 * project. */
static bool is_framework(struct loader *l, LLVMMetadataRef file)
{
    static const char *const folders[] = {
        "/divm-frameworks/", "/include/gtest/", "/include/gmock/",
        "googletest/src/",   "googlemock/src/",
    };
    static const char *const headers[] = {"catch.hpp", "doctest.h"};
    const char *name = file ? load_md_string(l, load_operand(l, file, 0)) : NULL;
    const char *slash = name ? strrchr(name, '/') : NULL;
    for (size_t k = 0; name && k < sizeof folders / sizeof *folders; k++)
        if (strstr(name, folders[k]))
            return true;
    for (size_t k = 0; name && k < sizeof headers / sizeof *headers; k++)
        if (!strcmp(slash ? slash + 1 : name, headers[k]))
            return true;
    return false;
}

/* Is the file a header of a test framework, or of libc++, which is compiled into the user's
 * module in part? */
static bool is_header(struct loader *l, LLVMMetadataRef file)
{
    const char *name = file ? load_md_string(l, load_operand(l, file, 0)) : NULL;
    return name && (strstr(name, "include/c++/v1/") || is_framework(l, file));
}

bool load_is_header(struct loader *l, LLVMValueRef f)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    return subprogram && is_header(l, LLVMDIScopeGetFile(subprogram));
}

bool load_is_header_scope(struct loader *l, LLVMMetadataRef scope)
{
    return is_header(l, LLVMDIScopeGetFile(scope));
}

const char *load_scope_file(struct loader *l, LLVMMetadataRef scope)
{
    LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
    const char *name = file ? load_md_string(l, load_operand(l, file, 0)) : NULL;
    return name ? name : "";
}

unsigned load_scope_line(struct loader *l, LLVMMetadataRef scope)
{
    LLVMMetadataRef subprogram = subprogram_of(l, scope);
    return subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
}

const char *load_unit_file(struct loader *l, LLVMMetadataRef scope)
{
    LLVMMetadataRef subprogram = subprogram_of(l, scope);
    LLVMMetadataRef unit = subprogram ? load_operand(l, subprogram, 5) : NULL;
    LLVMMetadataRef file = unit ? load_operand(l, unit, 0) : NULL;
    const char *name = file ? load_md_string(l, load_operand(l, file, 0)) : NULL;
    return name ? name : "";
}

const char *load_linkage_name(struct loader *l, LLVMMetadataRef scope)
{
    LLVMMetadataRef subprogram = subprogram_of(l, scope);
    return subprogram ? load_md_string(l, load_operand(l, subprogram, 3)) : NULL;
}

/* The C API has no getter for a unit's language: it stands first in the unit's text. */
bool load_is_cxx(struct loader *l, LLVMValueRef f)
{
    static const char language[] = "(language: DW_LANG_C_plus_plus";
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    LLVMMetadataRef unit = subprogram ? load_operand(l, subprogram, 5) : NULL;
    if (!unit)
        return false;
    char *text = LLVMPrintValueToString(LLVMMetadataAsValue(l->context, unit));
    bool is = strstr(text, language);
    LLVMDisposeMessage(text);
    return is;
}

/* The C API has no getter for prototypes: clang gives a function that has one a flag. */
bool load_is_unprototyped(struct loader *l, LLVMValueRef f)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    if (!subprogram || LLVMIsDeclaration(f) || load_is_cxx(l, f))
        return false;
    char *text = LLVMPrintValueToString(LLVMMetadataAsValue(l->context, subprogram));
    bool is = !strstr(text, "DIFlagPrototyped");
    LLVMDisposeMessage(text);
    return is;
}

/* A function is compiled with VM_SCOPES if the flags of its compile unit say so. */
bool load_has_scopes(struct loader *l, LLVMValueRef f)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    LLVMMetadataRef unit = subprogram ? load_operand(l, subprogram, 5) : NULL;
    const char *flags = unit ? load_md_string(l, load_operand(l, unit, 2)) : NULL;
    return flags && !strcmp(flags, VM_SCOPES);
}

uint32_t load_scope_number(struct loader *l, LLVMMetadataRef scope)
{
    LLVMMetadataKind kind = scope ? LLVMGetMetadataKind(scope) : LLVMMDStringMetadataKind;
    bool block =
        kind == LLVMDILexicalBlockMetadataKind || kind == LLVMDILexicalBlockFileMetadataKind;
    if (!block && kind != LLVMDISubprogramMetadataKind)
        return 0;
    uint32_t number = map_get(&l->scopes, scope);
    if (number)
        return number;
    uint32_t parent = block ? load_scope_number(l, load_operand(l, scope, 1)) : 0;
    list_push(&l->scope_parents, &parent);
    number = (uint32_t)l->scope_parents.n - 1;
    map_put(&l->scopes, scope, number);
    return number;
}

static uint32_t location(struct loader *l, LLVMMetadataRef loc);

/* Adds a location.  What has no line is where its function is.  key: a location, or a
 * subprogram. */
static uint32_t location_in(struct loader *l, LLVMMetadataRef key, LLVMMetadataRef scope)
{
    LLVMMetadataRef whole = subprogram_of(l, scope);
    struct vm_loc out = {.function = function_of(l, scope), .file = load_scope_file(l, scope)};
    out.library = load_is_header_scope(l, scope);
    if (key != scope) {
        out.line = LLVMDILocationGetLine(key);
        out.column = (uint16_t)LLVMDILocationGetColumn(key);
        out.inlined_at = location(l, LLVMDILocationGetInlinedAt(key));
    }
    if (out.inlined_at && load_is_atomic(out.function))
        load_fail(l, "%s:%u: %s is inlined, so it would not be atomic: compile it without -O",
                  out.file, out.line, out.function);
    if (!out.line && whole)
        out.line = LLVMDISubprogramGetLine(whole);
    list_push(&l->locs, &out);
    if (l->load->notes)
        list_push(&l->loc_scopes, &(uint32_t){load_scope_number(l, scope)});
    uint32_t i = (uint32_t)l->locs.n - 1;
    map_put(&l->locations, key, i);
    return i;
}

static uint32_t location(struct loader *l, LLVMMetadataRef loc)
{
    uint32_t i = loc ? map_get(&l->locations, loc) : 0;
    return loc && !i ? location_in(l, loc, LLVMDILocationGetScope(loc)) : i;
}

uint32_t load_location(struct loader *l, LLVMValueRef i)
{
    return location(l, LLVMInstructionGetDebugLoc(i));
}

/* Code that clang adds to a function (to a coroutine, for one) has the function's location. */
uint32_t load_function_location(struct loader *l, LLVMValueRef f)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    uint32_t i = subprogram ? map_get(&l->locations, subprogram) : 0;
    return subprogram && !i ? location_in(l, subprogram, subprogram) : i;
}

/* A template of a framework may be about the user's classes (NiceMock<Mine>), unless it is in a
 * namespace of the framework's own insides. */
static bool is_for_users(struct loader *l, LLVMMetadataRef type)
{
    LLVMMetadataRef scope = load_operand(l, type, 1);
    const char *name = load_md_string(l, load_operand(l, type, 2));
    bool named = scope && LLVMGetMetadataKind(scope) == LLVMDINamespaceMetadataKind;
    const char *space = named ? load_md_string(l, load_operand(l, scope, 2)) : NULL;
    bool inside = space && (!strcmp(space, "internal") || !strcmp(space, "detail"));
    return !name || (strchr(name, '<') && !inside);
}

/* Is the type, or what its pointers and elements lead to, a class of a test framework? */
bool load_is_of_framework(struct loader *l, LLVMMetadataRef type)
{
    for (int depth = 0; type && depth < MAX_DEPTH; depth++) {
        LLVMMetadataKind kind = LLVMGetMetadataKind(type);
        bool composite = kind == LLVMDICompositeTypeMetadataKind;
        if (!composite && kind != LLVMDIDerivedTypeMetadataKind)
            return false;
        if (composite && !is_for_users(l, type) && is_framework(l, load_operand(l, type, 0)))
            return true;
        type = load_operand(l, type, 3);
    }
    return false;
}

const struct vm_type *load_variable_type(struct loader *l, LLVMMetadataRef variable)
{
    static const char made[] = "DOCTEST_ANON_"; /* by its macros, in the user's file */
    const char *name = load_md_string(l, load_operand(l, variable, 1));
    LLVMMetadataRef type = load_operand(l, variable, 3);
    if (is_header(l, load_operand(l, variable, 2)) || load_is_of_framework(l, type) ||
        (name && !strncmp(name, made, sizeof made - 1)))
        return NULL;
    return load_type(l, type);
}

/* Is the variable of a class that a macro of Catch2 or doctest makes of a test with a fixture?
 * Its first base is the fixture. */
static bool is_of_test(struct loader *l, LLVMMetadataRef variable)
{
    static const char catch2[] = "C_A_T_C_H_T_E_S_T_", doctest[] = "DOCTEST_ANON_CLASS_";
    LLVMMetadataRef type = load_operand(l, variable, 3);
    bool class = type && LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind;
    const char *name = class ? load_md_string(l, load_operand(l, type, 2)) : NULL;
    return name && (!strncmp(name, catch2, sizeof catch2 - 1) ||
                    !strncmp(name, doctest, sizeof doctest - 1));
}

/* What is known of a local variable.  The object of a test with a fixture, which the user has
 * given no name, has the fixture's. */
static struct vm_variable local_variable(struct loader *l, LLVMMetadataRef variable)
{
    const char *name = load_md_string(l, load_operand(l, variable, 1));
    if (is_of_test(l, variable)) {
        const struct vm_type *t = load_type(l, load_operand(l, variable, 3));
        if (t && t->n && !*t->member->name && t->member->type)
            return (struct vm_variable){t->member->type->name, t};
    }
    return (struct vm_variable){name ? name : "", load_variable_type(l, variable)};
}

bool load_makes_fixture(LLVMValueRef f)
{
    return strstr(LLVMGetValueName(f), "TestInvokerAsMethod");
}

/* A local variable with several names is one object for several variables of the source: it
 * gets no name, and its parts get theirs. */
void load_variable_names(struct loader *l, LLVMValueRef f, struct map *names)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef object;
            if (!LLVMIsADbgDeclareInst(i))
                continue;
            LLVMGetMDNodeOperands(LLVMGetOperand(i, 0), &object);
            LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(i, 1));
            struct vm_variable known = local_variable(l, variable);
            if (map_get(names, object))
                known.name = "";
            list_push(&l->variables, &known);
            map_put(names, object, (uint32_t)l->variables.n);
        }
}

LLVMMetadataRef load_variable(struct loader *l, LLVMValueRef g)
{
    size_t n = 0;
    LLVMMetadataRef variable = NULL;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(g, &n);
    for (unsigned k = 0; k < n && !variable; k++) {
        LLVMMetadataRef md = LLVMValueMetadataEntriesGetMetadata(entries, k);
        if (LLVMGetMetadataKind(md) == LLVMDIGlobalVariableExpressionMetadataKind)
            variable = load_operand(l, md, 0);
    }
    LLVMDisposeValueMetadataEntries(entries);
    return variable;
}

const struct vm_type *load_global_type(struct loader *l, LLVMValueRef g)
{
    LLVMMetadataRef variable = load_is_user(l, g) ? load_variable(l, g) : NULL;
    if (variable)
        return load_variable_type(l, variable);
    bool source = l->load->watch && load_is_user(l, g) && *LLVMGetValueName(g) != '.';
    return source ? load_plain_type(l, LLVMGlobalGetValueType(g)) : NULL;
}

const char *load_global_name(struct loader *l, LLVMValueRef g)
{
    const char *symbol = LLVMGetValueName(g);
    LLVMMetadataRef variable = strncmp(symbol, "_Z", 2) ? NULL : load_variable(l, g);
    char text[512] = "";
    if (!variable)
        return intern(l, symbol, load_name_length(symbol));
    LLVMMetadataRef member = load_operand(l, variable, 6); /* the declaration of a static member
                                                            * in its class */
    LLVMMetadataRef scope = member ? load_operand(l, member, 1) : load_operand(l, variable, 0);
    qualify(l, scope, text, sizeof text, 0);
    const char *name = load_md_string(l, load_operand(l, variable, 1));
    size_t n = strlen(text);
    snprintf(text + n, sizeof text - n, "%s%s", n ? "::" : "", name ? name : symbol);
    return intern(l, text, strlen(text));
}
