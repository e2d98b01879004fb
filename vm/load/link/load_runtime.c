/* load_runtime.c - what the user's module needs of the archives, as one module. */
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "vm/heap/memory.h"
#include "vm/load/link/load_ar.h"
#include "vm/load/link/load_link.h"
#include "vm/load/link/load_names.h"
#include "vm/load/load.h"
#include "vm/load/table.h"

/* The members that a program needs. */
struct needed {
    struct loader *l;
    struct archive **archives;
    size_t narchives;
    bool own;                  /* the program's archives */
    struct map taken, defined; /* members; names that they or the program's files define */
    struct map user;           /* names that the program's files define or want */
    struct list members;       /* modules */
    struct list names;         /* names that a module wants, malloc'ed */
    XXH3_state_t *key;
};

/* ---- names ----------------------------------------------------------------------- */

static void note_defined(LLVMValueRef v, void *context)
{
    struct needed *needed = context;
    if (!LLVMIsDeclaration(v) && !link_is_local(v))
        map_put(&needed->defined, link_name(LLVMGetValueName(v)), 1);
}

static bool is_wanted(const struct loader *l, LLVMValueRef v)
{
    const char *name = LLVMGetValueName(v);
    bool first =
        LLVMIsAFunction(v) && (!strcmp(name, "__boot") || !strcmp(name, l->load->entry));
    if (!LLVMIsDeclaration(v) || (!LLVMGetFirstUse(v) && !first))
        return false;
    return !LLVMIsAFunction(v) || (strncmp(name, "llvm.", 5) && strncmp(name, "__divm_", 7));
}

static void note_wanted(LLVMValueRef v, void *context)
{
    struct needed *needed = context;
    if (is_wanted(needed->l, v))
        list_push(&needed->names, &(char *){strdup(LLVMGetValueName(v))});
}

static const void *find_member(const struct needed *needed, const char *name, size_t *size)
{
    const void *member = NULL;
    for (size_t a = 0; a < needed->narchives && !member; a++)
        member = archive_find(needed->archives[a], name, size);
    return member;
}

/* Notes a name of the user's that the archives have too, or that is wanted; others make no
 * difference to what is linked.  The order of the names matters, since members are taken in
 * it. */
static void note_user(LLVMValueRef v, void *context)
{
    struct needed *needed = context;
    const char *name = LLVMGetValueName(v);
    size_t size;
    char wanted = is_wanted(needed->l, v);
    if (link_is_local(v) || (LLVMIsDeclaration(v) && !wanted))
        return;
    map_put(&needed->user, link_name(name), 1);
    if (wanted || find_member(needed, name, &size)) {
        XXH3_128bits_update(needed->key, name, strlen(name) + 1);
        XXH3_128bits_update(needed->key, &wanted, 1);
    }
}

/* ---- members --------------------------------------------------------------------- */

/* Marks the variables of a member which says that nothing protects them
 * (libc/internal/unordered.h). */
static void mark_unordered(LLVMModuleRef module)
{
    static const char name[] = "__divm_unordered"; /* C++ has an alias of it */
    if (!LLVMGetNamedGlobal(module, name) &&
        !LLVMGetNamedGlobalAlias(module, name, sizeof name - 1))
        return;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) != LLVMAppendingLinkage)
            LLVMSetSection(g, LOAD_UNORDERED);
}

/* Parses the member that defines a name and adds it to the list, if it is new. */
static bool take_member(struct needed *needed, const char *name)
{
    size_t size = 0, from = needed->members.n;
    if (map_get(&needed->defined, link_name(name)))
        return true;
    const void *member = find_member(needed, name, &size);
    if (!member || map_get(&needed->taken, member))
        return true;
    map_put(&needed->taken, member, 1);
    bool ok = link_parse(needed->l, member, size, name, &needed->members);
    for (; from < needed->members.n; from++) {
        mark_unordered(((LLVMModuleRef *)needed->members.data)[from]);
        link_visit(((LLVMModuleRef *)needed->members.data)[from], note_defined, needed);
    }
    return ok;
}

/* Takes the members that define what a module wants. */
static bool take_members(struct needed *needed, LLVMModuleRef module)
{
    bool ok = true;
    needed->names.n = 0;
    link_visit(module, note_wanted, needed);
    for (size_t k = 0; k < needed->names.n; k++) {
        char *name = ((char **)needed->names.data)[k];
        ok = ok && take_member(needed, name);
        free(name);
    }
    return ok;
}

/* Makes a definition of a member internal, so that it is dropped if nothing uses it.  A comdat
 * stays as a whole, since the user's module may have the same. */
static void hide_member(LLVMValueRef v, void *context)
{
    struct needed *needed = context;
    const char *name = LLVMGetValueName(v);
    if (LLVMIsDeclaration(v) || link_is_local(v) || !strncmp(name, "llvm.", 5) ||
        link_is_entry(needed->l, name) || map_get(&needed->user, link_name(name)))
        return;
    bool shared = !LLVMIsAGlobalAlias(v) && LLVMGetComdat(v);
    LLVMSetLinkage(v, shared ? LLVMLinkOnceODRLinkage : LLVMInternalLinkage);
}

/* Finds all members that are needed, by their names alone, and then links them.  Returns NULL
 * if there are none, or after an error. */
static LLVMModuleRef join_members(struct needed *needed, const char *name)
{
    struct loader *l = needed->l;
    link_visit(l->module, note_defined, needed);
    bool ok = take_members(needed, l->module);
    for (size_t k = 0; k < needed->members.n && ok; k++)
        ok = take_members(needed, ((LLVMModuleRef *)needed->members.data)[k]);
    for (size_t k = 0; needed->own && k < needed->members.n && ok; k++)
        ok = link_is_fit(l, ((LLVMModuleRef *)needed->members.data)[k], name);
    return ok ? link_join(l, &needed->members, name) : NULL;
}

static LLVMMemoryBufferRef link_members(struct needed *needed)
{
    struct loader *l = needed->l;
    LLVMModuleRef module = join_members(needed, "the libraries");
    LLVMMemoryBufferRef bitcode = NULL;
    if (module) {
        link_visit(module, hide_member, needed);
        if (link_drop(l, module) && link_fold(l, module) && link_simplify(l, module))
            bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
        LLVMDisposeModule(module);
    }
    return bitcode;
}

/* ---- kept ones ------------------------------------------------------------------- */

static void make_key(struct needed *needed, uint64_t key[2])
{
    const struct loader *l = needed->l;
    unsigned version[3];
    LLVMGetVersion(&version[0], &version[1], &version[2]);
    needed->key = XXH3_createState();
    XXH3_128bits_reset(needed->key);
    XXH3_128bits_update(needed->key, version, sizeof version);
    XXH3_128bits_update(needed->key, l->load->entry, strlen(l->load->entry) + 1);
    for (size_t a = 0; a < l->load->narchives; a++) {
        uint64_t hash = archive_hash(needed->archives[a]);
        XXH3_128bits_update(needed->key, &hash, sizeof hash);
    }
    link_visit(l->module, note_user, needed);
    XXH128_hash_t hash = XXH3_128bits_digest(needed->key);
    XXH3_freeState(needed->key);
    key[0] = hash.low64;
    key[1] = hash.high64;
}

static LLVMModuleRef parse_kept(struct loader *l, const char *data, size_t size)
{
    LLVMModuleRef module = NULL;
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(data, size, "the libraries", false);
    if (LLVMParseBitcodeInContext2(l->context, buffer, &module)) {
        load_fail(l, "the libraries: what was linked cannot be read");
        module = NULL;
    }
    LLVMDisposeMemoryBuffer(buffer);
    return module;
}

static void want_function(struct loader *l, const char *name)
{
    if (!LLVMGetNamedFunction(l->module, name))
        LLVMAddFunction(l->module, name,
                        LLVMFunctionType(LLVMVoidTypeInContext(l->context), NULL, 0, 0));
}

static LLVMModuleRef get_or_link(struct needed *needed)
{
    struct loader *l = needed->l;
    const struct vm_kept *kept = l->load->kept;
    LLVMModuleRef module = NULL;
    uint64_t key[2];
    size_t size;
    want_function(l, "__boot");
    want_function(l, l->load->entry);
    make_key(needed, key);
    char *data = kept ? kept->get(kept->context, key, &size) : NULL;
    if (data) {
        module = parse_kept(l, data, size);
        free(data);
        return module;
    }
    LLVMMemoryBufferRef bitcode = link_members(needed);
    if (!bitcode)
        return NULL;
    data = (char *)LLVMGetBufferStart(bitcode);
    size = LLVMGetBufferSize(bitcode);
    if (kept && kept->put)
        kept->put(kept->context, key, data, size);
    module = parse_kept(l, data, size);
    LLVMDisposeMemoryBuffer(bitcode);
    return module;
}

/* Opens the first n archives; false if one cannot be opened. */
static bool begin(struct needed *needed, struct loader *l, size_t n)
{
    *needed = (struct needed){.l = l,
                              .archives = vm_alloc((n + 1) * sizeof *needed->archives),
                              .members.item = sizeof(LLVMModuleRef),
                              .names.item = sizeof(char *)};
    for (size_t k = 0; k < n; k++) {
        needed->archives[k] = archive_open(l->load->archives[k], l->error);
        if (!needed->archives[k])
            return false;
        needed->narchives++;
    }
    return true;
}

static void end(struct needed *needed)
{
    for (size_t k = 0; k < needed->narchives; k++)
        archive_close(needed->archives[k]);
    free(needed->archives);
    free(needed->members.data);
    free(needed->names.data);
    map_fini(&needed->taken);
    map_fini(&needed->defined);
    map_fini(&needed->user);
}

/* ---- names that the program has, too --------------------------------------------- */

struct hiding {
    struct needed needed;
    bool opened, ok;
};

static void hide_from_user(LLVMValueRef v, void *context)
{
    struct hiding *h = context;
    struct loader *l = h->needed.l;
    size_t size;
    if (!h->ok || !load_is_hidden_name(l, v))
        return;
    if (!h->opened) {
        h->opened = true;
        h->ok = begin(&h->needed, l, l->load->narchives);
    }
    if (h->ok && find_member(&h->needed, LLVMGetValueName(v), &size))
        load_hide_name(v);
}

bool link_hide_names(struct loader *l)
{
    struct hiding h = {.needed.l = l, .ok = true};
    link_visit(l->module, hide_from_user, &h);
    if (h.opened)
        end(&h.needed);
    return h.ok;
}

LLVMModuleRef link_runtime(struct loader *l)
{
    struct needed needed;
    LLVMModuleRef module = begin(&needed, l, l->load->narchives) ? get_or_link(&needed) : NULL;
    end(&needed);
    return module;
}

bool link_own(struct loader *l)
{
    struct needed needed;
    if (!l->load->nown)
        return true;
    bool ok = begin(&needed, l, l->load->nown);
    needed.own = true;
    want_function(l, l->load->entry); /* a library may have main */
    LLVMModuleRef module = ok ? join_members(&needed, "the program's archives") : NULL;
    if (module && LLVMLinkModules2(l->module, module)) /* takes the second */
        ok = load_fail(l, "the program's archives: cannot be linked with the rest");
    ok &= module || !needed.members.n;
    end(&needed);
    return ok;
}
