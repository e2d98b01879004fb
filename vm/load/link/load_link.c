/* load_link.c - from files and archives to one LLVM module.
 *
 * The user's files are linked, then what they need of the archives, then both together.
 * What is linked of the archives depends on nothing but the archives and the names that
 * the user's files have in common with them: it can be kept for programs that are alike
 * (struct vm_kept).  It goes through bitcode in any case, so that a program is the same
 * whether this was kept or not. */
#include <errno.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "vm/heap/memory.h"
#include "vm/load/link/load_elf.h"
#include "vm/load/link/load_link.h"
#include "vm/load/link/load_names.h"
#include "vm/load/load.h"
#include "vm/load/prepare/load_made.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/table.h"

/* ---- modules --------------------------------------------------------------------- */

static LLVMModuleRef parse(struct loader *l, LLVMMemoryBufferRef buffer, const char *name)
{
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMParseIRInContext(l->context, buffer, &module, &message)) { /* takes the buffer */
        char *newline = message ? strchr(message, '\n') : NULL;
        if (newline)
            *newline = 0;
        load_fail(l, "%s: %s", name, message ? message : "not bitcode");
        LLVMDisposeMessage(message);
        return NULL;
    }
    return module;
}

/* LLVM's reader lets modules pass that break the language's rules; the verifier does not. */
static bool is_valid(struct loader *l, LLVMModuleRef module, const char *name)
{
    char *message = NULL;
    bool valid = !LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
    if (!valid) {
        message[strcspn(message, "\n")] = 0;
        load_fail(l, "%s: not valid: %s", name, message);
    }
    LLVMDisposeMessage(message);
    return valid;
}

/* Parses a module, or all modules that an ELF file carries, and adds them to the list. */
bool link_parse(struct loader *l, const char *data, size_t size, const char *name,
                struct list *modules)
{
    size_t length, n;
    const char *bitcode = data;
    bool elf = elf_is(data, size);
    if (elf && !(bitcode = elf_bitcode(data, size, &length)))
        return load_fail(l,
                         "%s: was not built with divm (it carries no bitcode): rebuild it with "
                         "CC=\"divm cc\" CXX=\"divm c++\"",
                         name);
    if (!elf)
        length = size;
    do {
        n = elf ? elf_module(bitcode, length) : length;
        if (elf && !n)
            return load_fail(l, "%s: the bitcode that it carries is damaged", name);
        LLVMModuleRef m =
            parse(l, LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode, n, name), name);
        if (!m)
            return false;
        list_push(modules, &m);
        bitcode += n;
        length -= n;
    } while (length);
    return true;
}

bool link_is_fit(struct loader *l, LLVMModuleRef module, const char *name)
{
    return load_has_no_hypercalls(l, module, name) && load_sections(l, module);
}

static bool parse_file(struct loader *l, const char *path, struct list *modules)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        load_fail(l, "%s: %s", path, message);
        LLVMDisposeMessage(message);
        return false;
    }
    size_t first = modules->n;
    bool ok =
        link_parse(l, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), path, modules);
    LLVMDisposeMemoryBuffer(buffer);
    for (size_t k = first; ok && k < modules->n; k++) {
        LLVMModuleRef m = ((LLVMModuleRef *)modules->data)[k];
        ok = is_valid(l, m, path) && link_is_fit(l, m, path);
    }
    return ok;
}

/* Modules are joined in pairs, then pairs of pairs: LLVM goes through all of both modules
 * whenever it links two. */
LLVMModuleRef link_join(struct loader *l, const struct list *modules, const char *name)
{
    LLVMModuleRef *m = modules->data;
    bool ok = modules->n != 0;
    for (size_t step = 1; step < modules->n; step *= 2)
        for (size_t k = 0; k + step < modules->n; k += 2 * step)
            if (LLVMLinkModules2(m[k], m[k + step])) /* takes the second */
                ok = load_fail(l, "%s: cannot be linked together", name);
    if (ok || !modules->n)
        return ok ? m[0] : NULL;
    LLVMDisposeModule(m[0]);
    return NULL;
}

/* ---- names ----------------------------------------------------------------------- */

const void *link_name(const char *name)
{
    return (const void *)(uintptr_t)(XXH3_64bits(name, strlen(name)) | 1);
}

bool link_is_local(LLVMValueRef v)
{
    LLVMLinkage linkage = LLVMGetLinkage(v);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

void link_visit(LLVMModuleRef module, void (*visit)(LLVMValueRef v, void *context),
                void *context)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        visit(f, context);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        visit(g, context);
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a))
        visit(a, context);
}

static void note_name(LLVMValueRef v, void *names)
{
    if (!LLVMIsDeclaration(v))
        map_put(names, link_name(LLVMGetValueName(v)), 1);
}

/* ---- what is kept, and how ------------------------------------------------------- */

bool link_is_entry(const struct loader *l, const char *name)
{
    return !strcmp(name, "__boot") || !strcmp(name, "_Unwind_Resume") ||
           !strcmp(name, l->load->entry) ||
           (l->load->watch && l->load->watch->monitor &&
            !strcmp(name, l->load->watch->monitor));
}

static void hide(LLVMValueRef v, void *context)
{
    const char *name = LLVMGetValueName(v);
    if (!LLVMIsDeclaration(v) && strncmp(name, "llvm.", 5) && !link_is_entry(context, name))
        LLVMSetLinkage(v, LLVMInternalLinkage);
}

/* Gives functions that clang left alone (optnone) an attribute of our own instead, so that our
 * passes may change them. */
static void mark_as_written(struct loader *l, LLVMValueRef f)
{
    LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned optnone = LLVMGetEnumAttributeKindForName("optnone", 7);
    if (!LLVMGetEnumAttributeAtIndex(f, whole, optnone))
        return;
    LLVMRemoveEnumAttributeAtIndex(f, whole, optnone);
    LLVMAddAttributeAtIndex(f, whole,
                            LLVMCreateStringAttribute(l->context, LOAD_AS_WRITTEN,
                                                      sizeof LOAD_AS_WRITTEN - 1, "", 0));
}

static bool run_passes(struct loader *l, LLVMModuleRef module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *text = LLVMGetErrorMessage(error);
    load_fail(l, "%s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}

bool link_drop(struct loader *l, LLVMModuleRef module)
{
    return run_passes(l, module, "globaldce");
}

/* Folds constants: declarations that a member may have replaced (os_interruptible, for
 * instance) are final now. */
bool link_fold(struct loader *l, LLVMModuleRef module)
{
    return run_passes(l, module, "function(sccp,simplifycfg),globaldce");
}

/* Makes local variables tell their types by calls of llvm.dbg.declare: the C API cannot read
 * debug records. */
static void note_all_made(struct loader *l)
{
    LLVMBool format = LLVMIsNewDbgInfoFormat(l->module);
    LLVMSetIsNewDbgInfoFormat(l->module, false);
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
        load_note_made(l, f);
    LLVMSetIsNewDbgInfoFormat(l->module, format);
}

/* Puts local variables whose address is not needed into registers.  No pass here removes or
 * moves an access that the author wrote and that others could see. */
bool link_simplify(struct loader *l, LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        mark_as_written(l, f);
    load_padding(l, module);
    if (module == l->module) {
        note_all_made(l);
        load_sixteen(l);
        load_weak_orders(l);
        load_exchanges(l);
    }
    load_checks(l, module);
    load_scopes(l, module);
    load_keep_unset(l, module);
    load_exits(l, module);
    load_asm(l, module);
    if (module == l->module && !load_monitor(l))
        return false;
    if (module == l->module)
        load_watch(l, module);
    if (!run_passes(l, module, "function(mem2reg)"))
        return false;
    load_keep_wrong(l, module);
    return run_passes(l, module, "function(sroa)");
}

/* ---- the program's module -------------------------------------------------------- */

static bool link_user(struct loader *l)
{
    struct list modules = {.item = sizeof(LLVMModuleRef)};
    bool ok = true;
    for (size_t k = 0; k < l->load->nfiles && ok; k++)
        ok = parse_file(l, l->load->files[k], &modules);
    if (ok)
        l->module = link_join(l, &modules, "the program's files");
    free(modules.data);
    if (!ok || !l->module)
        return load_fail(l, "no input files"); /* unless there was another error */
    const char *triple = LLVMGetTarget(l->module);
    if (*triple && strncmp(triple, "x86_64", 6))
        return load_fail(l, "%s: compiled for %s, not for x86_64", l->load->files[0], triple);
    return true;
}

bool load_link(struct loader *l)
{
    if (!link_user(l) || !link_own(l) || !link_hide_names(l))
        return false;
    l->layout = LLVMGetModuleDataLayout(l->module);
    link_visit(l->module, note_name, &l->user);
    load_atomic_functions(l);
    if (!link_simplify(l, l->module))
        return false;
    load_covered(l);
    LLVMModuleRef runtime = link_runtime(l);
    if (!runtime)
        return false;
    if (LLVMLinkModules2(l->module, runtime)) /* takes the second */
        return load_fail(l, "the libraries: cannot be linked with the rest");
    load_adapt(l);
    link_visit(l->module, hide, l);
    if (!link_drop(l, l->module))
        return false;
    LLVMSetIsNewDbgInfoFormat(l->module, false); /* the other one cannot be read from C */
    return true;
}
