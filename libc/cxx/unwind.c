/* unwind.c - the unwinder, and the C++ personality in it.
 *
 * A frame is an object (struct vm_frame), and the loader's table says where an
 * exception that leaves a call goes on.  To go on there: the new pc and the two
 * registers that the landing pad reads are written into the frame, and the machine
 * resumes it, which drops the frames above.  The search is repeated in phase 2
 * instead of remembering the handler, so that no object points to a frame. */
#include "os_error.h"
#include <stdbool.h>
#include <stdint.h>
#include <unwind.h>

enum { DEPENDENT = 1 }; /* last byte of the class of a rethrown exception_ptr */
#define CXX_CLASS 0x434C4E47432B2B00

/* libc++abi's __cxa_exception; its __cxa_dependent_exception has `primary` where
 * this has the references. */
struct cxa_exception {
    void *reserve;
    void *primary;
    const void *type;
    void (*destructor)(void *);
    void (*unexpected)(void);
    void (*terminate)(void);
    struct cxa_exception *next;
    int handlers, selector;
    const struct vm_clause *clause; /* that took it; libc++abi's actionRecord */
    const unsigned char *data;
    void *catch_temp, *adjusted;
    struct _Unwind_Exception header;
};

struct _Unwind_Context {
    struct vm_frame *frame;
};

void __pthread_unwind(void *result);
_Noreturn void __pthread_leave(void *result); /* libpthread/exit.c */
bool __cxx_is_allowed(const struct vm_clause *filter, const void *type, void *object);

static struct vm_frame *caller(void)
{
    return ((struct vm_frame *)__divm_control(VM_REG_FRAME, VM_GET, 0))->parent;
}

static const struct vm_landing *landing_of(const struct vm_frame *frame)
{
    const struct vm_boot *boot = (const struct vm_boot *)__divm_control(VM_REG_BOOT, VM_GET, 0);
    size_t low = 0, high = boot->nlandings;
    uint64_t pc = (uint64_t)frame->pc;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t call = (uint64_t)boot->landings[middle].call;
        if (call == pc)
            return &boot->landings[middle];
        if (call < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Is the function one that no exception may leave (noexcept, C)? */
static bool is_nounwind(const struct vm_frame *frame)
{
    const struct vm_boot *boot = (const struct vm_boot *)__divm_control(VM_REG_BOOT, VM_GET, 0);
    size_t low = 0, high = boot->nnounwind;
    uint64_t pc = (uint64_t)frame->pc;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct vm_functions *range = &boot->nounwind[middle];
        if (pc < (uint64_t)range->begin)
            high = middle;
        else if (pc < (uint64_t)range->end)
            return true;
        else
            low = middle + 1;
    }
    return false;
}

/* ---- the personality: which clause takes an exception ---------------------------- */

static struct cxa_exception *cxa_of(struct _Unwind_Exception *e)
{
    return (struct cxa_exception *)((char *)e - offsetof(struct cxa_exception, header));
}

static void *thrown_object(struct _Unwind_Exception *e)
{
    return (e->exception_class & 255) == DEPENDENT ? cxa_of(e)->primary : (void *)(e + 1);
}

/* Does a handler's type match the thrown one?  __shim_type_info::can_catch is the fifth virtual
 * function; it may move `object` to a base or to what a pointer points to. */
static bool matches(const void *type, const void *thrown, void **object)
{
    typedef bool function(const void *, const void *, void **);
    return (*(function *const *const *)type)[4](type, thrown, object);
}

static bool can_catch(const void *type, struct _Unwind_Exception *e, void **object)
{
    *object = thrown_object(e);
    return matches(type, cxa_of(e)->type, object);
}

/* Does an exception specification let the type pass? */
bool __cxx_is_allowed(const struct vm_clause *filter, const void *type, void *object)
{
    for (const void *const *allowed = filter->filter; *allowed; allowed++) {
        void *moved = object;
        if (matches(*allowed, type, &moved))
            return true;
    }
    return false;
}

static bool is_filtered(const struct vm_clause *clause, struct _Unwind_Exception *e)
{
    return !__cxx_is_allowed(clause, cxa_of(e)->type, thrown_object(e));
}

/* Returns the clause that takes the exception, or NULL; and the object as its handler sees
 * it. */
static const struct vm_clause *choose(const struct vm_landing *landing,
                                      struct _Unwind_Exception *e, void **object)
{
    bool cxx = (e->exception_class & ~(uint64_t)255) == CXX_CLASS;
    *object = cxx ? thrown_object(e) : e + 1;
    for (uint32_t k = 0; k < landing->nclauses; k++) {
        const struct vm_clause *c = &landing->clauses[k];
        if (c->filter ? cxx && is_filtered(c, e)
                      : !c->type || (cxx && can_catch(c->type, e, object)))
            return c;
    }
    return NULL;
}

/* ---- the unwinder ---------------------------------------------------------------- */

static void go_on(struct vm_frame *frame, const struct vm_landing *landing,
                  struct _Unwind_Exception *e, int64_t selector)
{
    frame->pc = landing->pad;
    frame->reg[landing->reg] = (uint64_t)e;
    frame->reg[landing->reg + 1] = (uint32_t)selector;
    __divm_control(VM_REG_FRAME, VM_SET, (uint64_t)frame);
}

/* Phase 2: goes on at the next handler or clean-up; returns if there is none. */
static void unwind(struct vm_frame *frame, struct _Unwind_Exception *e)
{
    for (; frame; frame = frame->parent) {
        const struct vm_landing *landing = landing_of(frame);
        void *object;
        const struct vm_clause *c = landing ? choose(landing, e, &object) : NULL;
        if (c && (e->exception_class & ~(uint64_t)255) == CXX_CLASS) {
            cxa_of(e)->clause = c;
            cxa_of(e)->selector = (int)c->selector;
            cxa_of(e)->adjusted = object;
        }
        if (c || (landing && landing->cleanup))
            go_on(frame, landing, e, c ? c->selector : 0);
    }
}

/* Phase 1: where is there a handler?  NULL: nowhere. */
static const struct vm_landing *find_handler(const struct vm_frame *frame,
                                             struct _Unwind_Exception *e)
{
    for (; frame; frame = frame->parent) {
        const struct vm_landing *landing = landing_of(frame);
        void *object;
        if (landing && choose(landing, e, &object))
            return landing;
        if (!landing && is_nounwind(frame))
            return NULL;
    }
    return NULL;
}

/* Both phases; returns if nobody catches it, with the stack as it is: terminate sees it. */
static void throw_it(struct vm_frame *frame, struct _Unwind_Exception *e)
{
    const struct vm_landing *handler = find_handler(frame, e);
    if (!handler)
        return;
    bool cxx = (e->exception_class & ~(uint64_t)255) == CXX_CLASS;
    struct vm_trace_throw told = {cxx ? cxa_of(e)->type : NULL, handler->pad};
    __divm_trace(VM_TRACE_THROW, &told, sizeof told);
    unwind(frame, e);
}

/* ---- the end of a thread --------------------------------------------------------- */

/* pthread_exit and cancellation unwind the stack as glibc does: clean-ups run,
 * catch (...) takes it, nothing else does, and who takes it must throw it again.
 * The class is that of no language. */
#define FORCED 0x6469766d65786974

struct forced {
    struct _Unwind_Exception header;
    void *result;
};

static void was_kept(_Unwind_Reason_Code reason, struct _Unwind_Exception *e)
{
    (void)reason;
    (void)e;
    __os_error(VM_FAULT_ABORT,
               "the end of a thread (pthread_exit, cancellation) was caught and "
               "not thrown again");
}

static bool has_landing(const struct vm_frame *frame)
{
    for (; frame; frame = frame->parent)
        if (landing_of(frame))
            return true;
    return false;
}

static _Noreturn void force(struct vm_frame *frame, struct _Unwind_Exception *e)
{
    unwind(frame, e);
    void *result = ((struct forced *)e)->result;
    __divm_obj_free(e, VM_OBJ_HEAP);
    __pthread_leave(result);
}

/* These replace weak definitions of libpthread/exit.c. */
extern const int __pthread_unwinds;
const int __pthread_unwinds = 1;
void __pthread_unwind(void *result)
{
    struct vm_frame *frame = caller();
    if (!has_landing(frame))
        return;
    struct forced *forced = __divm_obj_make(sizeof *forced, VM_OBJ_HEAP);
    *forced = (struct forced){
        .header = {.exception_class = FORCED, .exception_cleanup = was_kept}, .result = result};
    force(frame, &forced->header);
}

/* ---- the unwinder's interface ---------------------------------------------------- */

_Unwind_Reason_Code _Unwind_RaiseException(struct _Unwind_Exception *e)
{
    struct vm_frame *frame = caller();
    if (e->exception_class == FORCED) /* throw; */
        force(frame, e);
    throw_it(frame, e);
    return _URC_END_OF_STACK;
}

_Unwind_Reason_Code _Unwind_Resume_or_Rethrow(struct _Unwind_Exception *e)
{
    struct vm_frame *frame = caller();
    if (e->exception_class == FORCED)
        force(frame, e);
    throw_it(frame, e);
    return _URC_END_OF_STACK;
}

void _Unwind_Resume(struct _Unwind_Exception *e)
{
    if (e->exception_class == FORCED)
        force(caller(), e);
    unwind(caller(), e);
    __os_error(VM_FAULT_ABORT, "an exception that was caught has lost its handler");
}

void _Unwind_DeleteException(struct _Unwind_Exception *e)
{
    if (e->exception_cleanup)
        e->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, e);
}

_Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn visit, void *argument)
{
    for (struct vm_frame *frame = caller(); frame; frame = frame->parent) {
        struct _Unwind_Context context = {frame};
        if (visit(&context, argument) != _URC_NO_REASON)
            return _URC_FATAL_PHASE1_ERROR;
    }
    return _URC_END_OF_STACK;
}

_Unwind_Ptr _Unwind_GetIP(struct _Unwind_Context *context)
{
    return (_Unwind_Ptr)context->frame->pc;
}

/* ---- what compiled code names ---------------------------------------------------- */

/* Functions name their personality; it is never called. */
void __gxx_personality_v0(void);
void __gxx_personality_v0(void)
{
    __os_error(VM_FAULT_ABORT, "the personality function was called");
}
