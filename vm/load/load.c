/* load.c - from one LLVM module to a program. */
#include "vm/load/load.h"
#include "vm/heap/memory.h"
#include "vm/load/code/load_may_write.h"
#include "vm/load/link/load_kept.h"
#include "vm/load/link/load_link.h"
#include "vm/load/load_debug.h"
#include "vm/load/lower/load_const.h"
#include "vm/load/lower/load_func.h"
#include "vm/load/lower/load_insn.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- small containers ------------------------------------------------------------ */

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
        bigger.key = vm_zeros(bigger.capacity, sizeof *bigger.key);
        bigger.value = vm_zeros(bigger.capacity, sizeof *bigger.value);
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
    void *p = vm_zeros(size, 1);
    list_push(&l->arena, &p);
    return p;
}

const char *load_string(struct loader *l, const char *text, size_t n)
{
    char *copy = load_alloc(l, n + 1);
    memcpy(copy, text, n);
    return copy;
}

bool load_is_user(struct loader *l, LLVMValueRef v)
{
    return map_get(&l->user, link_name(LLVMGetValueName(v)));
}

uint64_t load_argument_align(LLVMValueRef call, unsigned k)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, k + 1, kind);
    return align ? LLVMGetEnumAttributeValue(align) : 0;
}

bool load_is_const_int(LLVMValueRef v, uint64_t *value)
{
    if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
        return false;
    *value = LLVMConstIntGetZExtValue(v);
    return true;
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

/* ---- the program ----------------------------------------------------------------- */

/* Is the function only called by its name, with all the arguments that it takes? */
static bool is_called_as_defined(LLVMValueRef f)
{
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!(LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) ||
            LLVMGetCalledValue(user) != f || LLVMGetNumArgOperands(user) != LLVMCountParams(f))
            return false;
    }
    return true;
}

/* Does the function take more arguments than its definition names?  A definition without a
 * prototype does; it makes a difference only if some call does not match the definition. */
static bool takes_more(struct loader *l, LLVMValueRef f)
{
    if (is_called_as_defined(f) || !load_is_unprototyped(l, f))
        return false;
    uint32_t at = load_function_location(l, f);
    const struct vm_loc *loc = &((struct vm_loc *)l->locs.data)[at];
    char text[512];
    snprintf(text, sizeof text, "%s:%u: %s", loc->file, loc->line, LLVMGetValueName(f));
    if (!l->program->unprototyped)
        l->program->unprototyped = load_string(l, text, strlen(text));
    return true;
}

static bool is_kernel(struct loader *l, LLVMValueRef f)
{
    const char *section = LLVMGetSection(f);
    return section && !strcmp(section, LOAD_KERNEL) && !load_is_user(l, f);
}

static bool number_functions(struct loader *l)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        if (!strncmp(name, "llvm.", 5) || !strncmp(name, "__divm_", 7))
            continue;
        struct vm_function out = {.name = load_function_name(l, f)};
        out.runtime = !load_is_user(l, f);
        out.library = out.runtime || load_is_header(l, f);
        out.kernel = is_kernel(l, f);
        out.defined = !LLVMIsDeclaration(f);
        out.signature = load_signature(l, LLVMGlobalGetValueType(f));
        out.takes_more = !out.library && takes_more(l, f);
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
        if (!load_function(l, i, false))
            return false;
    return true;
}

/* Lowers the user's functions once more, with notes. */
static bool lower_noted(struct loader *l)
{
    if (!l->load->notes)
        return true;
    const struct vm_function *f = l->functions_out.data;
    for (uint32_t i = 0; i < l->functions_out.n; i++)
        list_push(&l->noted_functions, &f[i]);
    for (uint32_t i = 0; i < l->functions_out.n; i++)
        if (f[i].defined && !f[i].library && !load_function(l, i, true))
            return false;
    load_notes_finish(l);
    return true;
}

/* Finds which variables threads may write, for the functions without and with notes: notes do
 * not change it. */
static void find_may_write(struct loader *l)
{
    struct vm_program *p = l->program;
    struct vm_function *functions = p->functions;
    uint8_t *tracked;
    load_may_write(l);
    if (!p->notes)
        return;
    tracked = p->tracked;
    p->functions = p->notes->functions;
    load_may_write(l);
    p->functions = functions;
    assert(!tracked == !p->tracked && (!tracked || !memcmp(tracked, p->tracked, p->nglobals)));
    p->tracked = tracked;
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

static void finish(struct loader *l, bool ok)
{
    struct vm_program *p = l->program;
    if (ok)
        load_covered_dropped(l);
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
    p->paddings = l->paddings.data;
    p->locs = l->locs.data;
    p->signatures = l->signatures.data;
    p->texts = l->texts.data;
    p->variables = l->variables.data;
    p->made = l->made.data;
    p->sites = l->sites.data;
    p->nsites = l->sites.n;
    p->covers = l->load->coverage;
    p->nvalues = (uint32_t)l->values.n;
    p->nargs = (uint32_t)l->args.n;
    p->ncalls = (uint32_t)l->calls.n;
    p->ncases = (uint32_t)l->cases.n;
    p->npaddings = (uint32_t)l->paddings.n;
    p->nlocs = (uint32_t)l->locs.n;
    p->nsignatures = (uint32_t)l->signatures.n;
    p->ntexts = (uint32_t)l->texts.n;
    p->nvariables = (uint32_t)l->variables.n;
    p->nmade = (uint32_t)l->made.n;
    p->nloaded = p->nconsts;
    p->nloaded_globals = p->nglobals;
    if (ok)
        find_may_write(l);
    p->narena = l->arena.n;
    p->arena = l->arena.data;
}

static void fini_loader(struct loader *l)
{
    free(l->covered.data);
    map_fini(&l->user);
    map_fini(&l->strings);
    map_fini(&l->functions);
    map_fini(&l->globals);
    free(l->monitored.data);
    map_fini(&l->tls);
    map_fini(&l->locations);
    map_fini(&l->types);
    map_fini(&l->debug_types);
    free(l->debug_types_out.data);
    free(l->llvm_functions);
    map_fini(&l->pads);
    map_fini(&l->selectors);
    free(l->pad_list.data);
    load_notes_fini(l);
    free(l->names.data);
    if (l->module)
        LLVMDisposeModule(l->module);
    LLVMContextDispose(l->context);
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

/* Loads a program from its files.  How it is started is set later (vm_set_start). */
static struct vm_program *load_files(const struct vm_load *load, char **error)
{
    struct vm_program *program = vm_zeros(1, sizeof *program);
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
        .paddings.item = sizeof(struct vm_padding),
        .locs.item = sizeof(struct vm_loc),
        .signatures.item = sizeof(struct vm_signature),
        .texts.item = sizeof(char *),
        .variables.item = sizeof(struct vm_variable),
        .made.item = sizeof(struct vm_variable),
        .debug_types_out.item = sizeof(struct vm_type *),
        .sites.item = sizeof(struct vm_site),
        .covered.item = sizeof(struct load_covered),
        .arena.item = sizeof(void *),
        .names.item = sizeof(char *),
        .pad_list.item = sizeof(struct pad),
    };
    load_notes_begin(&l);
    list_push(&l.locs, &(struct vm_loc){.function = "", .file = ""});
    LLVMContextSetDiagnosticHandler(l.context, ignore_diagnostic, &l);
    bool ok = load_link(&l) && number_functions(&l) && load_globals(&l) && find_boot(&l) &&
              lower_functions(&l) && lower_noted(&l) && load_boot(&l);
    finish(&l, ok);
    fini_loader(&l);
    if (ok)
        return program;
    vm_unload(program);
    if (!*error)
        *error = strdup("the program cannot be loaded");
    return NULL;
}

struct vm_program *vm_load(const struct vm_load *load, char **error)
{
    *error = NULL;
    uint64_t key[2];
    bool keep = load_kept_key(load, key);
    struct vm_program *program = keep ? load_recall(load, key) : NULL;
    if (program)
        return program;
    program = load_files(load, error);
    if (!program)
        return NULL;
    if (keep)
        load_keep(load, key, program);
    vm_set_start(program, &load->start);
    return program;
}
