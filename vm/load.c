/* load.c - from files to one LLVM module, and from that to a program. */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "memory.h"

enum { LOAD_SECONDS = 60 }; /* for files that are not of our own making */

/* ---- small containers ------------------------------------------------------- */

void *list_push(struct list *list, const void *item)
{
    if (list->n == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 16;
        list->data = vm_resize(list->data, list->capacity * list->item);
    }
    return memcpy((char *)list->data + list->item * list->n++, item, list->item);
}

static size_t slot_of(const struct map *map, const void *key)
{
    size_t mask = map->capacity - 1;
    size_t i = ((uintptr_t)key * 0x9e3779b97f4a7c15ull >> 20) & mask;
    while (map->key[i] && map->key[i] != key)
        i = (i + 1) & mask;
    return i;
}

uint32_t map_get(const struct map *map, const void *key)
{
    if (!map->capacity)
        return 0;
    size_t i = slot_of(map, key);
    return map->key[i] ? map->value[i] : 0;
}

void map_put(struct map *map, const void *key, uint32_t value)
{
    if (2 * (map->n + 1) > map->capacity) {
        struct map bigger = {.capacity = map->capacity ? 2 * map->capacity : 64};
        bigger.key = calloc(bigger.capacity, sizeof *bigger.key);
        bigger.value = calloc(bigger.capacity, sizeof *bigger.value);
        for (size_t i = 0; i < map->capacity; i++)
            if (map->key[i])
                map_put(&bigger, map->key[i], map->value[i]);
        map_fini(map);
        *map = bigger;
    }
    size_t i = slot_of(map, key);
    map->n += !map->key[i];
    map->key[i] = key;
    map->value[i] = value;
}

void map_fini(struct map *map)
{
    free((void *)map->key);
    free(map->value);
    *map = (struct map){0};
}

void *load_alloc(struct loader *l, size_t size)
{
    void *p = memset(vm_alloc(size), 0, size ? size : 1);
    list_push(&l->arena, &p);
    return p;
}

const char *load_string(struct loader *l, const char *text, size_t n)
{
    char *copy = load_alloc(l, n + 1);
    memcpy(copy, text, n);
    return copy;
}

bool load_fail(struct loader *l, const char *format, ...)
{
    if (*l->error)
        return false;
    va_list ap;
    va_start(ap, format);
    if (vasprintf(l->error, format, ap) < 0)
        *l->error = NULL;
    va_end(ap);
    return false;
}

/* ---- modules ------------------------------------------------------------------ */

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

/* What LLVM's reader lets pass may still break the language's rules. */
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

static bool link_in(struct loader *l, LLVMModuleRef module, const char *name)
{
    if (!l->module) {
        l->module = module;
        return true;
    }
    if (LLVMLinkModules2(l->module, module)) /* takes the module */
        return load_fail(l, "%s: cannot be linked with the rest", name);
    return true;
}

static void ignore_diagnostic(LLVMDiagnosticInfoRef info, void *context)
{
    struct loader *l = context;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    load_fail(l, "%s", text);
    LLVMDisposeMessage(text);
}

/* The module or, of an ELF file, all modules that it carries: added to the list. */
static bool parse_all(struct loader *l, const char *data, size_t size, const char *name,
                      struct list *modules)
{
    size_t length, n;
    const char *bitcode = data;
    bool elf = elf_is(data, size);
    if (elf && !(bitcode = elf_bitcode(data, size, &length)))
        return load_fail(l, "%s: carries no bitcode: it was not made by divm cc or c++", name);
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
        parse_all(l, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), path, modules);
    LLVMDisposeMemoryBuffer(buffer);
    for (size_t k = first; ok && k < modules->n; k++)
        ok = is_valid(l, ((LLVMModuleRef *)modules->data)[k], path);
    return ok;
}

/* In pairs, then pairs of pairs: LLVM looks at all of both modules whenever it links.
 * Takes the modules. */
static bool link_modules(struct loader *l, const struct list *modules, const char *name)
{
    LLVMModuleRef *m = modules->data;
    bool ok = true;
    for (size_t step = 1; step < modules->n; step *= 2)
        for (size_t k = 0; k + step < modules->n; k += 2 * step)
            if (LLVMLinkModules2(m[k], m[k + step]))
                ok = load_fail(l, "%s: cannot be linked together", name);
    return modules->n == 0 || (link_in(l, m[0], name) && ok);
}

static bool link_user(struct loader *l)
{
    struct list modules = {.item = sizeof(LLVMModuleRef)};
    bool ok = true;
    for (size_t k = 0; k < l->load->nfiles && ok; k++)
        ok = parse_file(l, l->load->files[k], &modules);
    ok = ok && link_modules(l, &modules, "the program's files");
    free(modules.data);
    if (!ok)
        return false;
    if (!l->module)
        return load_fail(l, "no input files");
    const char *triple = LLVMGetTarget(l->module);
    if (*triple && strncmp(triple, "x86_64", 6))
        return load_fail(l, "%s: compiled for %s, not for x86_64", l->load->files[0], triple);
    return true;
}

static const void *name_key(const char *name)
{
    const void *key = (const void *)(uintptr_t)(XXH3_64bits(name, strlen(name)) | 1);
    return key;
}

/* The names that a module defines are put into the map. */
static void note_names(LLVMModuleRef module, struct map *names)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            map_put(names, name_key(LLVMGetValueName(f)), 1);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g))
            map_put(names, name_key(LLVMGetValueName(g)), 1);
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a))
        map_put(names, name_key(LLVMGetValueName(a)), 1);
}

bool load_is_user(struct loader *l, LLVMValueRef v)
{
    return map_get(&l->user, name_key(LLVMGetValueName(v)));
}

static bool used(LLVMValueRef v)
{
    return LLVMGetFirstUse(v) != NULL;
}

static bool wanted(struct loader *l, LLVMValueRef v, bool function)
{
    const char *name = LLVMGetValueName(v);
    bool first = function && (!strcmp(name, "__boot") || !strcmp(name, l->load->entry));
    if (!LLVMIsDeclaration(v) || (!used(v) && !first))
        return false;
    return !function || (strncmp(name, "llvm.", 5) && strncmp(name, "__divm_", 7));
}

/* The names that a module wants, malloc'ed. */
static void undefined_names(struct loader *l, LLVMModuleRef module, struct list *names)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (wanted(l, f, true))
            list_push(names, &(char *){strdup(LLVMGetValueName(f))});
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (wanted(l, g, false))
            list_push(names, &(char *){strdup(LLVMGetValueName(g))});
}

/* The member that defines a name, if it is new: parsed and added to the list. */
static bool take_member(struct loader *l, struct archive **archives, struct map *taken,
                        const char *name, struct list *members)
{
    size_t size = 0;
    const void *member = NULL;
    for (size_t a = 0; a < l->load->narchives && !member; a++)
        member = archive_find(archives[a], name, &size);
    if (!member || map_get(taken, member))
        return true;
    map_put(taken, member, 1);
    return parse_all(l, member, size, name, members);
}

static void want_function(struct loader *l, const char *name)
{
    if (!LLVMGetNamedFunction(l->module, name))
        LLVMAddFunction(l->module, name,
                        LLVMFunctionType(LLVMVoidTypeInContext(l->context), NULL, 0, 0));
}

/* The members that a program needs. */
struct needed {
    struct archive **archives;
    struct map taken, defined; /* members; names that they or the program's files define */
    struct list members;       /* modules */
};

/* The members that define what a module wants are added. */
static bool take_members(struct loader *l, struct needed *needed, LLVMModuleRef module)
{
    struct list names = {.item = sizeof(char *)};
    bool ok = true;
    undefined_names(l, module, &names);
    for (size_t k = 0; k < names.n; k++) {
        char *name = ((char **)names.data)[k];
        size_t from = needed->members.n;
        if (ok && !map_get(&needed->defined, name_key(name)))
            ok = take_member(l, needed->archives, &needed->taken, name, &needed->members);
        for (; from < needed->members.n; from++)
            note_names(((LLVMModuleRef *)needed->members.data)[from], &needed->defined);
        free(name);
    }
    free(names.data);
    return ok;
}

/* First all members that are needed are found, by their names alone, and then linked:
 * LLVM looks at all of both modules whenever it links two. */
static bool link_archives(struct loader *l, struct archive **archives)
{
    struct needed needed = {.archives = archives, .members.item = sizeof(LLVMModuleRef)};
    note_names(l->module, &needed.defined);
    want_function(l, "__boot");
    want_function(l, l->load->entry); /* a library may have main */
    bool ok = take_members(l, &needed, l->module);
    for (size_t k = 0; k < needed.members.n && ok; k++)
        ok = take_members(l, &needed, ((LLVMModuleRef *)needed.members.data)[k]);
    ok = ok && link_modules(l, &needed.members, "the libraries");
    free(needed.members.data);
    map_fini(&needed.taken);
    map_fini(&needed.defined);
    return ok;
}

static bool link_runtime(struct loader *l)
{
    struct archive **archives = vm_alloc(l->load->narchives * sizeof *archives);
    size_t n = 0;
    bool ok = true;
    for (; n < l->load->narchives && ok; n++) {
        archives[n] = archive_open(l->load->archives[n], l->error);
        ok = archives[n] != NULL;
    }
    ok = ok && link_archives(l, archives);
    for (size_t k = 0; k < n; k++)
        if (archives[k])
            archive_close(archives[k]);
    free(archives);
    return ok;
}

/* Called from outside, or by what the loader makes (resume). */
static bool is_entry(const struct loader *l, const char *name)
{
    return !strcmp(name, "__boot") || !strcmp(name, "_Unwind_Resume") ||
           !strcmp(name, l->load->entry);
}

/* Functions that clang left alone are marked in a way of our own, so that our passes
 * may look at them. */
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

static bool run_passes(struct loader *l, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(l->module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return true;
    char *text = LLVMGetErrorMessage(error);
    load_fail(l, "%s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}

/* What nothing reaches is dropped; registers take the place of local variables
 * whose address is not needed.  No pass here removes or moves an access that
 * the author wrote and that others could see. */
static bool simplify(struct loader *l)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && !is_entry(l, LLVMGetValueName(f)))
            LLVMSetLinkage(f, LLVMInternalLinkage);
        mark_as_written(l, f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && strncmp(LLVMGetValueName(g), "llvm.", 5))
            LLVMSetLinkage(g, LLVMInternalLinkage);
    if (!run_passes(l, "globaldce,function(mem2reg)"))
        return false;
    load_keep_wrong(l);
    return run_passes(l, "function(sroa)");
}

/* ---- the program ---------------------------------------------------------------- */

static bool number_functions(struct loader *l)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        if (!strncmp(name, "llvm.", 5) || !strncmp(name, "__divm_", 7))
            continue;
        struct vm_function out = {.name = load_function_name(l, f)};
        out.library = !load_is_user(l, f) || load_is_header(l, f);
        out.defined = !LLVMIsDeclaration(f);
        out.signature = load_signature(l, LLVMGlobalGetValueType(f));
        list_push(&l->functions_out, &out);
        map_put(&l->functions, f, (uint32_t)l->functions_out.n);
    }
    return true;
}

static bool lower_functions(struct loader *l)
{
    uint32_t k = 0;
    l->llvm_functions = vm_alloc(l->functions_out.n * sizeof *l->llvm_functions);
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
        if (map_get(&l->functions, f))
            l->llvm_functions[k++] = f;
    for (uint32_t i = 0; i < k; i++)
        if (!load_function(l, i))
            return false;
    return true;
}

static bool find_boot(struct loader *l)
{
    LLVMValueRef boot = LLVMGetNamedFunction(l->module, "__boot");
    LLVMValueRef entry = LLVMGetNamedFunction(l->module, l->load->entry);
    if (!entry || LLVMIsDeclaration(entry))
        return load_fail(l, "%s: there is no function %s", l->load->files[0], l->load->entry);
    if (!boot || LLVMIsDeclaration(boot))
        return load_fail(l, "the runtime has no kernel (__boot)");
    l->program->boot = map_get(&l->functions, boot) - 1;
    return true;
}

static void finish(struct loader *l)
{
    struct vm_program *p = l->program;
    p->functions = l->functions_out.data;
    p->nfunctions = (uint32_t)l->functions_out.n;
    p->globals = l->globals_out.data;
    p->nglobals = (uint32_t)l->globals_out.n;
    p->consts = l->consts_out.data;
    p->nconsts = (uint32_t)l->consts_out.n;
    p->values = l->values.data;
    p->args = l->args.data;
    p->calls = l->calls.data;
    p->cases = l->cases.data;
    p->locs = l->locs.data;
    p->signatures = l->signatures.data;
    p->texts = l->texts.data;
    p->sites = l->sites.data;
    p->nsites = l->sites.n;
    p->keep_dead = l->load->keep_dead_registers;
    p->nloaded = p->nconsts;
    p->nloaded_globals = p->nglobals;
    p->narena = l->arena.n;
    p->arena = l->arena.data;
}

static void fini_loader(struct loader *l)
{
    map_fini(&l->user);
    map_fini(&l->strings);
    map_fini(&l->functions);
    map_fini(&l->globals);
    map_fini(&l->tls);
    map_fini(&l->locations);
    map_fini(&l->types);
    free(l->llvm_functions);
    map_fini(&l->pads);
    map_fini(&l->selectors);
    free(l->pad_list.data);
    free(l->names.data);
    if (l->module)
        LLVMDisposeModule(l->module);
    LLVMContextDispose(l->context);
}

/* LLVM may crash or never end on malformed bitcode: a child process goes first. */
static bool survives(const struct vm_load *load, char **error)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct vm_load again = *load;
        int sink = open("/dev/null", O_WRONLY);
        if (sink >= 0)
            dup2(sink, STDERR_FILENO);
        again.check_files = false;
        alarm(LOAD_SECONDS);
        vm_load(&again, error);
        _exit(0); /* what it says is said again */
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFSIGNALED(status))
        return true;
    const char *what =
        WTERMSIG(status) == SIGALRM ? "takes too long to load" : "cannot be loaded: malformed";
    if (asprintf(error, "%s: %s", load->files[0], what) < 0)
        *error = NULL;
    return false;
}

struct vm_program *vm_load(const struct vm_load *load, char **error)
{
    *error = NULL;
    if (load->check_files && !survives(load, error))
        return NULL;
    struct vm_program *program = vm_alloc(sizeof *program);
    memset(program, 0, sizeof *program);
    struct loader l = {
        .load = load,
        .program = program,
        .error = error,
        .context = LLVMContextCreate(),
        .functions_out.item = sizeof(struct vm_function),
        .globals_out.item = sizeof(struct vm_global),
        .consts_out.item = sizeof(struct vm_global),
        .values.item = sizeof(struct vm_const),
        .args.item = sizeof(struct vm_arg),
        .calls.item = sizeof(struct vm_call),
        .cases.item = sizeof(struct vm_case),
        .locs.item = sizeof(struct vm_loc),
        .signatures.item = sizeof(struct vm_signature),
        .texts.item = sizeof(char *),
        .sites.item = sizeof(struct vm_site),
        .arena.item = sizeof(void *),
        .names.item = sizeof(char *),
        .pad_list.item = sizeof(struct pad),
    };
    list_push(&l.locs, &(struct vm_loc){.function = "", .file = ""});
    LLVMContextSetDiagnosticHandler(l.context, ignore_diagnostic, &l);
    bool ok = link_user(&l);
    if (ok) {
        note_names(l.module, &l.user);
        ok = link_runtime(&l);
    }
    if (ok) {
        l.layout = LLVMGetModuleDataLayout(l.module);
        ok = simplify(&l);
    }
    if (ok) {
        ok = number_functions(&l) && load_globals(&l) && find_boot(&l) && lower_functions(&l) &&
             load_boot(&l);
    }
    finish(&l);
    fini_loader(&l);
    if (ok) {
        vm_set_start(program, &load->start);
        return program;
    }
    vm_unload(program);
    if (!*error)
        *error = strdup("the program cannot be loaded");
    return NULL;
}
