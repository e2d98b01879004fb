/* thread.c - makes threads, and what few of them have; their ends are in thread_end.h.
 *
 * The array of threads is kept sorted by tid, and a new thread takes the smallest
 * free tid: threads that come and go leave no mark in the state. */
#include "os/thread.h"
#include "os/commute.h"
#include "os/mode.h"
#include "os/process.h"
#include "os/reading.h"
#include "os/state.h"
#include "os/stuck.h"
#include "os/thread_end.h"
#include "os/wait.h"

__attribute__((weak)) const int os_interruptible = 0;
__attribute__((weak)) const int os_sees_ends = 0;

static struct vm_frame *first_frame(uint64_t tid, void (*entry)(os_function *, void *),
                                    os_function *start, void *arg)
{
    size_t size = __divm_obj_size((const void *)entry);
    int kind = VM_OBJ_FRAME | VM_OBJ_STABLE | (int)tid << VM_OBJ_DETAIL;
    struct vm_frame *frame = __divm_obj_make(size, kind);
    frame->parent = NULL;
    frame->pc = (void (*)(void))entry;
    frame->reg[0] = (uint64_t)start;
    frame->reg[1] = (uint64_t)arg;
    return frame;
}

/* Returns a new thread-local variable of the program's own, which begins as others do. */
static void *first_variable(size_t number, const void *value)
{
    size_t size = __divm_obj_size(value);
    void *variable = __divm_obj_make(size, VM_OBJ_TLS | (int)number << VM_OBJ_DETAIL);
    __builtin_memcpy(variable, value, size);
    return variable;
}

static void *first_tls(uint64_t tid)
{
    const struct vm_boot *boot = (const struct vm_boot *)__divm_control(VM_REG_BOOT, VM_GET, 0);
    if (!boot->tls_size)
        return NULL;
    int kind = VM_OBJ_TLS | VM_OBJ_STABLE | (int)(2 * tid + 1) << VM_OBJ_DETAIL;
    void **tls = __divm_obj_make(boot->tls_size, kind);
    __builtin_memcpy(tls, boot->tls_image, boot->tls_size);
    for (size_t k = 0; k < boot->nthread_locals; k++)
        tls[k] = first_variable(k, tls[k]);
    return tls;
}

/* Returns the smallest free tid.  The main thread's is nobody else's, also when it has ended
 * and is gone. */
OS_INLINE uint64_t smallest_tid(const struct os_state *state)
{
    return state->count && state->thread[0]->tid != 1 ? 2 : 1;
}

/* Returns a free tid.  Which one is free depends on which threads came and went before; but
 * nothing depends on the tid unless the program asks for it (gettid), so that makers and those
 * who free commute.  In a commuting section. */
static uint64_t free_tid(const struct os_state *state)
{
    int place = 0, count = state->count;
    while (place < count && state->thread[place]->tid == place + smallest_tid(state))
        place++;
    return place + smallest_tid(state);
}

/* Inserts a thread where all smaller tids are taken. */
static void insert(struct os_thread *thread, uint64_t tid)
{
    struct os_state *state = os_state();
    int place = (int)(tid - smallest_tid(state)), count = state->count;
    os_commutes_begin();
    thread->tid = tid;
    state->count = count + 1;
    __divm_obj_resize(state, sizeof *state + sizeof thread * ((size_t)count + 1));
    struct os_thread **at = &state->thread[place];
    __builtin_memmove(at + 1, at, (size_t)(count - place) * sizeof *at);
    *at = thread;
    os_commutes_end();
}

void os_thread_insert(struct os_thread *thread)
{
    os_commutes_begin();
    insert(thread, free_tid(os_state()));
}

/* Returns what tells an argument from others: an object may be as good as another one of the
 * same size. */
static const void *likeness(const void *arg)
{
    size_t size = __divm_obj_size(arg);
    return size == SIZE_MAX ? arg : (const void *)size;
}

OS_INLINE bool began_alike(const struct os_thread *a, const struct os_thread *b)
{
    return a->start == b->start && a->like == b->like && a->start;
}

/* Tells the machine which threads began alike: they may come to the same, each in the other's
 * place, unless they can be interrupted, which is done to one and not to the other.  In a
 * commuting section. */
static void find_symmetric(struct os_thread *made)
{
    const struct os_state *state = os_state();
    uint64_t others = 0;
    for (int k = 0; k < state->count; k++) {
        struct os_thread *thread = state->thread[k];
        if (thread != made && began_alike(thread, made))
            thread->symmetric = made->symmetric = 1;
    }
    for (int k = 0; k < state->count; k++)
        if (state->thread[k]->symmetric && state->thread[k]->tid < 64)
            others |= (uint64_t)1 << state->thread[k]->tid;
    __divm_control(VM_REG_SYMMETRIC, VM_SET, os_interruptible ? 0 : others);
}

struct os_thread *os_thread_make(void (*entry)(os_function *, void *), os_function *start,
                                 void *arg, bool detached)
{
    struct os_state *state = os_state();
    os_commutes_begin();
    uint64_t tid = free_tid(state);
    os_commutes_end();
    struct os_thread *thread = __divm_obj_make(sizeof *thread, OS_STABLE_THREAD(tid));
    os_commutes_begin();                         /* nobody knows it yet */
    __builtin_memset(thread, 0, sizeof *thread); /* as a whole: this is one instruction */
    thread->running = 1;
    thread->tls = first_tls(tid);
    thread->detached = detached;
    thread->start = (const void *)start;
    thread->like = likeness(arg);
    if (arg)
        __divm_obj_shared(arg);
    struct os_process *process = state->processes ? os_process(os_self()) : NULL;
    if (process) {
        os_more(thread)->process = process;
        process->live++;
    }
    insert(thread, tid);
    os_commutes_begin();
    if (++state->live > 1)
        __divm_control(VM_REG_FLAGS, VM_ANDNOT, VM_FLAG_ALONE);
    os_commutes_end();
    thread->frame = first_frame(tid, entry, start, arg); /* its first step comes after this */
    os_commutes_begin();
    find_symmetric(thread);
    os_run_eagerly(thread);
    os_commutes_end();
    os_pass_on(thread); /* it begins with what its creator knows */
    return thread;
}

void os_free_thread_locals(struct os_thread *self)
{
    const struct vm_boot *boot = (const struct vm_boot *)__divm_control(VM_REG_BOOT, VM_GET, 0);
    void **variable = self->tls;
    for (size_t k = 0; k < boot->nthread_locals; k++)
        __divm_obj_free(variable[k], VM_OBJ_KERNEL);
}

bool os_process_leave(const struct os_thread *self)
{
    int *live = &os_process(self)->live;
    bool last = *live == 1;
    *live -= !last;
    return last;
}

void os_thread_drop(struct os_thread *self)
{
    const struct os_state *state = os_state();
    if (self->holds || self->reading || state->processes || self == state->thread[0])
        os_check_left();
    if (self->reading) {
        __divm_obj_free(self->reading, VM_OBJ_KERNEL);
        self->reading = NULL;
    }
    if (self->more) { /* a name, for instance, which others may ask for */
        os_commutes_end();
        os_thread_free_more(self);
        self->more = NULL;
        os_commutes_begin();
    }
}

/* Reads that the threads with a deferred join by this one run no more, which shows that their
 * ends have come before.  Mostly they are all that there are.  In a commuting section. */
static void look_at_ends(const struct os_thread *self, int deferred)
{
    const struct os_state *state = os_state();
    bool all = deferred == state->count - 1;
    os_reads_fixed_begin();
    if (all) {
        os_commutes_end();
        __divm_control(VM_REG_ENDED, VM_SET, (uint64_t)state->thread);
        os_commutes_begin();
    }
    for (int k = 0, count = all ? 0 : state->count; k < count; k++) {
        if (state->thread[k]->joiner != self)
            continue;
        os_commutes_end();
        if (state->thread[k]->running)
            os_deadlock();
        os_commutes_begin();
    }
    os_reads_fixed_end();
}

/* Frees these threads.  In a commuting section. */
static void free_joined(const struct os_thread *self)
{
    struct os_state *state = os_state();
    int kept = 0;
    for (int k = 0, count = state->count; k < count; k++) {
        struct os_thread *thread = state->thread[k];
        if (thread->joiner != self) {
            state->thread[kept++] = thread;
            continue;
        }
        os_commutes_end();
        __divm_obj_free(thread, VM_OBJ_KERNEL);
        os_commutes_begin();
    }
    state->count = kept;
    __divm_obj_resize(state, sizeof *state + sizeof state->thread[0] * (size_t)kept);
}

OS_INLINE struct os_thread *wait_for_joined(void)
{
    struct os_thread *self = os_self();
    __divm_interrupt_mem(self, sizeof *self, VM_ACT_JOIN | VM_ACT_READY);
    os_commutes_begin();
    if (self->joining)
        os_deadlock();
    int deferred = self->deferred;
    os_forget_wait(self);
    self->deferred = 0;
    look_at_ends(self, deferred);
    return self;
}

void os_await_joined(void)
{
    os_be_late_no_more();
    free_joined(wait_for_joined());
}

void os_await_ends(void)
{
    os_be_late_no_more();
    const struct os_thread *self = wait_for_joined();
    const struct os_state *state = os_state();
    if (state->live > 1) { /* who could ask for them */
        free_joined(self);
        return;
    }
    for (int k = 0, count = state->count; k < count; k++)
        if (state->thread[k]->joiner == self)
            os_be_told(state->thread[k]);
}

/* Waits for deferred joins: the machine calls it, in the kernel, and forgets it then
 * (VM_REG_DEFERRED). */
static void await_joined(void)
{
    free_joined(wait_for_joined());
    os_leave();
}

bool os_may_defer(void)
{
    if (os_interruptible) /* in the midst of what it does by itself */
        return false;
    __divm_control(VM_REG_DEFERRED, VM_SET, (uint64_t)await_joined);
    return os_is_late();
}

const struct os_thread *os_holder(const int *word, const struct os_thread *asking)
{
    const struct os_state *state = os_state();
    for (int k = 0; k < state->count; k++)
        if (reading_has(state->thread[k], word) &&
            os_is_same_place(word, state->thread[k], asking))
            return state->thread[k];
    return NULL;
}

bool os_is_first(const struct os_thread *thread)
{
    for (size_t k = 0, count = os_process_count(); k < count; k++)
        if (os_state()->processes[k]->first == thread)
            return true;
    return false;
}

static void free_if_made(void *object)
{
    if (object)
        __divm_obj_free(object, VM_OBJ_KERNEL);
}

struct os_more *os_more(struct os_thread *thread)
{
    if (!thread->more) {
        thread->more = __divm_obj_make(sizeof *thread->more, VM_OBJ_KERNEL);
        *thread->more = (struct os_more){0};
    }
    return thread->more;
}

void os_less(struct os_thread *thread)
{
    const uint64_t *word = (const uint64_t *)thread->more;
    for (size_t k = 0; word && k < sizeof *thread->more / sizeof *word; k++)
        if (word[k])
            return;
    free_if_made(thread->more);
    thread->more = NULL;
}

void os_thread_free_more(struct os_thread *thread)
{
    os_calm(thread);
    if (!thread->more)
        return;
    free_if_made(thread->more->keys);
    free_if_made(thread->more->robust);
    __divm_obj_free(thread->more, VM_OBJ_KERNEL);
}
