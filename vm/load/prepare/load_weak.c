/* load_weak.c - finds the atomic accesses of the program that are weaker than seq_cst, and
 * calls that try to lock something.
 *
 * What counts is the order that the program's author gave: that of an instruction in the
 * program's own code, and what its code passes to functions of the C++ library that take an
 * order as their last parameter.  What the library does with orders for itself, in shared_ptr
 * for one, does not count, nor do fences: between seq_cst accesses they have no effect.
 *
 * An attempt that fails tells what another thread has done, and orders nothing.  So races of
 * programs that make some are judged by orders (vm/order), as those of programs with weaker
 * ones are.  std::lock and std::scoped_lock try for themselves: they end with all locks, and
 * with all that these order. */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/load.h"
#include "vm/load/load_debug.h"
#include "vm/load/prepare/load_memory_order.h"
#include "vm/load/prepare/load_prepare.h"
#include "vm/load/table.h"

/* Names of memory orders by C's numbers; NULL: known only when the program runs. */
static const char *const words[] = {"relaxed", "consume", "acquire", "release",
                                    "acq_rel", "seq_cst", NULL};

/* Where a place is in the order of the source: the files that were given come first. */
enum rank { MAIN_FILE, HEADER, SYSTEM_HEADER };

struct weak {
    const char *file; /* where there are debug data, else the name of the function */
    unsigned line;    /* 0: there are none */
    enum rank rank;
    int order;
};

/* An instruction's place in the program's own source, and the library's function that is called
 * there and has the instruction. */
struct place {
    const char *file, *function; /* function: its mangled name, or NULL */
    unsigned line;
    enum rank rank;
};

/* ---- functions of the C++ library ------------------------------------------------ */

/* Is it a function of namespace std, by its mangled name: behind "_ZN" and the letters for
 * const and volatile? */
static bool is_standard(const char *function)
{
    static const char space[] = "St3__1";
    return !strncmp(function, "_ZN", 3) &&
           !strncmp(function + 3 + strspn(function + 3, "VKRO"), space, sizeof space - 1);
}

/* How many orders a function of the C++ library takes at the end: mangled, the type of the
 * second refers to that of the first. */
static unsigned count_orders(const char *function)
{
    static const char type[] = "12memory_orderE";
    const char *at = is_standard(function) ? strstr(function, type) : NULL;
    if (!at || strstr(function, "thread_fence") || strstr(function, "signal_fence"))
        return 0;
    for (const char *next = at; next; next = strstr(at + 1, type))
        at = next;
    at += sizeof type - 1;
    if (*at != 'S')
        return *at ? 0 : 1;
    at += 1 + strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return strcmp(at, "_") ? 0 : 2;
}

/* Is it one of the functions that compilers call for accesses of odd sizes? */
static bool is_large_access(LLVMValueRef f)
{
    static const char generic[] = "__atomic_";
    const char *name = LLVMIsAFunction(f) ? LLVMGetValueName(f) : "";
    return !strncmp(name, generic, sizeof generic - 1) && LLVMIsDeclaration(f) &&
           !strstr(name, "lock_free");
}

/* How many of a call's last arguments are orders: it is of the C++ library, or one of those. */
static unsigned orders_of_call(LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    const char *name = LLVMIsAFunction(f) ? LLVMGetValueName(f) : "";
    if (!is_large_access(f))
        return count_orders(name);
    return strstr(name, "compare_exchange") ? 2 : 1;
}

/* ---- places ---------------------------------------------------------------------- */

static enum rank rank_of(struct loader *l, LLVMMetadataRef scope, const char *file)
{
    static const char system[] = "/usr/";
    if (!strcmp(load_unit_file(l, scope), file))
        return MAIN_FILE;
    return strncmp(file, system, sizeof system - 1) ? HEADER : SYSTEM_HEADER;
}

/* Whatever has no line is where its function is. */
static void set_place(struct loader *l, struct place *place, LLVMMetadataRef location)
{
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    place->file = load_scope_file(l, scope);
    place->rank = rank_of(l, scope, place->file);
    place->line = LLVMDILocationGetLine(location);
    if (!place->line)
        place->line = load_scope_line(l, scope);
}

/* Returns false if the instruction is the library's own. */
static bool find_place(struct loader *l, LLVMValueRef i, struct place *place)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    *place = (struct place){.file = load_function_name(l, f)};
    if (!location)
        return !load_is_header(l, f) && !is_standard(LLVMGetValueName(f));
    for (; location; location = LLVMDILocationGetInlinedAt(location)) {
        LLVMMetadataRef scope = LLVMDILocationGetScope(location);
        if (!load_is_header_scope(l, scope)) {
            set_place(l, place, location);
            return true;
        }
        place->function = load_linkage_name(l, scope);
        if (!place->function)
            place->function = "";
    }
    return false;
}

/* Is the access the one that a function of the library was asked for?  The load that comes
 * before a compare-exchange is the library's own. */
static bool is_asked_for(const struct place *place, bool load)
{
    return !place->function ||
           (count_orders(place->function) && !(load && strstr(place->function, "fetch_")));
}

/* ---- attempts -------------------------------------------------------------------- */

/* Is it weak_ptr::lock, or the constructor of a shared_ptr from a weak_ptr, which fail if the
 * last owner has gone? */
static bool asks_for_owner(const char *function)
{
    return (strstr(function, "8weak_ptr") && strstr(function, "4lockEv")) ||
           (strstr(function, "10shared_ptr") && strstr(function, "RKNS_8weak_ptr"));
}

/* Does a function of this name try to lock something, or tell what others have locked? */
static bool is_attempt(const char *function)
{
    static const char *const names[] = {
        "ftrylockfile",
        "mtx_trylock",
        "mtx_timedlock",
        "pthread_mutex_trylock",
        "pthread_mutex_timedlock",
        "pthread_mutex_clocklock",
        "pthread_rwlock_tryrdlock",
        "pthread_rwlock_trywrlock",
        "pthread_rwlock_timedrdlock",
        "pthread_rwlock_timedwrlock",
        "pthread_rwlock_clockrdlock",
        "pthread_rwlock_clockwrlock",
        "pthread_spin_trylock",
        "sem_trywait",
        "sem_timedwait",
        "sem_clockwait",
        "sem_getvalue",
    };
    if (is_standard(function))
        return strstr(function, "try_lock") || strstr(function, "try_to_lock_t") ||
               strstr(function, "try_acquire") || strstr(function, "9use_count") ||
               strstr(function, "7expired") || strstr(function, "6unique") ||
               asks_for_owner(function);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(function, names[k]))
            return true;
    return false;
}

/* Does the program's own code call such a function, itself or by one that is inlined? */
static bool attempts(struct loader *l, LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    struct place place;
    return LLVMIsAFunction(f) && is_attempt(LLVMGetValueName(f)) &&
           find_place(l, call, &place) && (!place.function || is_attempt(place.function));
}

/* ---- all of them ----------------------------------------------------------------- */

/* Notes a weak access; of several in a line the weakest is named. */
static void note(struct list *found, const struct place *place, int order)
{
    struct weak *at = found->data;
    for (size_t k = 0; k < found->n; k++)
        if (at[k].line == place->line && !strcmp(at[k].file, place->file)) {
            at[k].order = order < at[k].order ? order : at[k].order;
            return;
        }
    list_push(found, &(struct weak){place->file, place->line, place->rank, order});
}

static void look_at(struct loader *l, LLVMValueRef i, struct list *found)
{
    struct place place;
    bool call = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i), load = LLVMIsALoadInst(i);
    unsigned n = call ? orders_of_call(i) : 0;
    l->program->attempts |= call && attempts(l, i);
    l->program->large_atomics |= call && is_large_access(LLVMGetCalledValue(i));
    if ((call && !n) || !find_place(l, i, &place))
        return;
    if (call)
        load = strstr(LLVMGetValueName(LLVMGetCalledValue(i)), "load");
    bool first = place.function && count_orders(place.function) == 1;
    int order = call ? load_passed_order(i, n, first) : load_memory_order(i, first);
    if (order != LOAD_SEQ_CST && is_asked_for(&place, load))
        note(found, &place, order);
}

/* Does the module use an attempt other than by calling it: by a pointer? */
static bool hands_on_attempts(struct loader *l)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
        for (LLVMUseRef use = is_attempt(LLVMGetValueName(f)) ? LLVMGetFirstUse(f) : NULL; use;
             use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            bool call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
            if (!call || LLVMGetCalledValue(user) != f)
                return true;
        }
    return false;
}

static bool is_before(const struct weak *a, const struct weak *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank;
    if (!strcmp(a->file, b->file))
        return a->line < b->line;
    return a->rank != MAIN_FILE && strcmp(a->file, b->file) < 0; /* else by the modules */
}

static const struct weak *first_of(const struct list *found)
{
    const struct weak *at = found->data, *first = at;
    for (size_t k = 1; k < found->n; k++)
        if (is_before(&at[k], first))
            first = &at[k];
    return first;
}

void load_weak_orders(struct loader *l)
{
    struct list found = {.item = sizeof(struct weak)};
    l->program->attempts |= hands_on_attempts(l);
    for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                look_at(l, i, &found);
    if (found.n) {
        const struct weak *first = first_of(&found);
        char text[512];
        int n = snprintf(text, sizeof text, "%s", first->file);
        if (first->line && (size_t)n < sizeof text)
            snprintf(text + n, sizeof text - (size_t)n, ":%u", first->line);
        l->program->weak = (struct vm_weak){load_string(l, text, strlen(text)),
                                            words[first->order], (unsigned)found.n};
    }
    free(found.data);
}
