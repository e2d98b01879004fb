/* load_names.c - names in the program that belong to the runtime.
 *
 * Hypercalls belong to the runtime: a program that names one is refused. Names of the runtime
 * that no header declares are hidden from the program: a definition under such a name is
 * renamed and is the program's alone, and a reference without a definition is undefined, as it
 * is on a real machine. */
#include <llvm-c/Comdat.h>
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/link/load_link.h"
#include "vm/load/link/load_names.h"
#include "vm/load/load.h"

/* Suffix of the program's names that the runtime has, too. */
static const char own[] = ".user";

static bool begins(const char *name, const char *with)
{
    return !strncmp(name, with, strlen(with));
}

struct refused {
    struct loader *l;
    const char *file;
    bool found;
};

static void refuse_hypercall(LLVMValueRef v, void *context)
{
    struct refused *refused = context;
    const char *name = LLVMGetValueName(v);
    if (!begins(name, "__divm_") || (LLVMIsDeclaration(v) && !LLVMGetFirstUse(v)))
        return;
    refused->found = true;
    load_fail(refused->l, "%s: %s is the runtime's own: a program cannot use it", refused->file,
              name);
}

bool load_has_no_hypercalls(struct loader *l, LLVMModuleRef module, const char *file)
{
    struct refused refused = {.l = l, .file = file};
    link_visit(module, refuse_hypercall, &refused);
    return !refused.found;
}

/* Is it a name of the kernel or the thread library that no header has? */
static bool is_inner(const char *name)
{
    static const char *const inner[] = {"os_", "__os_", "__pthread_", "__boot"};
    for (size_t k = 0; k < sizeof inner / sizeof *inner; k++)
        if (begins(name, inner[k]))
            return true;
    return false;
}

/* Is the symbol defined here, with no other definition beside it? */
static bool is_strong(LLVMValueRef v)
{
    LLVMLinkage linkage = LLVMGetLinkage(v);
    return !LLVMIsDeclaration(v) && !link_is_local(v) && linkage != LLVMLinkOnceAnyLinkage &&
           linkage != LLVMLinkOnceODRLinkage && linkage != LLVMAppendingLinkage &&
           (LLVMIsAGlobalAlias(v) || !LLVMGetComdat(v));
}

bool load_is_hidden_name(const struct loader *l, LLVMValueRef v)
{
    const char *name = LLVMGetValueName(v);
    if (!strcmp(name, l->load->entry))
        return false;
    return is_inner(name) ? is_strong(v) || LLVMIsDeclaration(v)
                          : begins(name, "__") && is_strong(v);
}

void load_hide_name(LLVMValueRef v)
{
    size_t length;
    const char *name = LLVMGetValueName2(v, &length);
    char *longer = vm_alloc(length + sizeof own);
    memcpy(longer, name, length);
    memcpy(longer + length, own, sizeof own);
    LLVMSetValueName2(v, longer, length + sizeof own - 1);
    free(longer);
}

size_t load_name_length(const char *name)
{
    size_t n = strlen(name), suffix = sizeof own - 1;
    return n > suffix && !strcmp(name + n - suffix, own) ? n - suffix : n;
}
