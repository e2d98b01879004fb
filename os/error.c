/* error.c - errors: an error is a state like any other, reached by a transition that ends with
 * VM_FLAG_ERROR.  Before that the kernel says what each thread was doing: nobody listens during
 * the search; the replay of the error does. */
#include "os/error.h"
#include "os/mode.h"
#include "os/process.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/stuck.h"
#include "os/wait.h"

char *os_put(char *end, const char *text)
{
    while ((*end = *text++))
        end++;
    return end;
}

char *os_put_number(char *end, unsigned long number)
{
    if (number >= 10)
        end = os_put_number(end, number / 10);
    *end++ = (char)('0' + number % 10);
    *end = 0;
    return end;
}

static size_t length(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

/* Returns the struct that a word is the given member of. */
#define OWNER_OF(type, member, word) \
    ((const type *)(const void *)((const char *)(word) - offsetof(type, member)))

/* Returns what the thread waits for, as the program knows it. */
static const void *awaited(const struct os_thread *thread)
{
    if (thread->wait >> OS_ACTION == VM_ACT_JOIN && os_joined(thread, 0))
        return &os_joined(thread, 0)->running;
    if (thread->queue)
        return thread->queue;
    if (thread->wait & OS_LOCK)
        return OWNER_OF(struct os_lock, word, thread->word);
    return thread->word;
}

/* Returns the tid of the thread that holds what `thread` waits for, or 0. */
static uint64_t holder(const struct os_thread *thread)
{
    if (!thread->word || !thread->running || os_is_gone(thread->word))
        return 0;
    if (thread->wait >> OS_ACTION == VM_ACT_JOIN)
        return os_joined(thread, 0) ? os_joined(thread, 0)->tid : 0;
    if (thread->wait & OS_HOLDER)
        return *thread->word && os_holder(thread->word, thread)
                   ? os_holder(thread->word, thread)->tid
                   : 0;
    if (!thread->queue && thread->wait & OS_LOCK) {
        const struct os_thread *owner = OWNER_OF(struct os_lock, word, thread->word)->owner;
        return owner && !os_is_gone(owner) ? owner->tid : 0;
    }
    return 0;
}

/* Returns the action that the thread waits to do, or 0.  A queued thread does not wait to go
 * on, but to be woken. */
static uint64_t awaited_action(const struct os_thread *thread)
{
    uint64_t action = thread->wait >> OS_ACTION;
    if (thread->queue && action == VM_ACT_COND_WAKE)
        return VM_ACT_COND_WAIT;
    if (thread->queue && action == VM_ACT_BARRIER_LEAVE)
        return VM_ACT_BARRIER;
    return action;
}

static uint64_t number_of_process(const struct os_thread *thread)
{
    const struct os_process *process = os_process(thread);
    return process ? (uint64_t)process->number : 0;
}

static void tell_thread(const struct os_thread *thread, struct vm_frame *running)
{
    bool waits = thread->word;
    struct vm_trace_thread record = {
        .tid = thread->tid,
        .frame = running ? running : thread->frame,
        .action = waits ? awaited_action(thread) : 0,
        .object = waits ? awaited(thread) : NULL,
        .owner = waits ? holder(thread) : 0,
        .process = number_of_process(thread),
    };
    if (!thread->running)
        record =
            (struct vm_trace_thread){.tid = thread->tid, .state = 2, .process = record.process};
    else if (waits && !os_is_gone(thread->word) && !os_ready(thread))
        record.state = 1;
    __divm_trace(VM_TRACE_THREAD, &record, sizeof record);
}

/* Tells the locks that somebody waits for, with their holders. */
static void tell_held(const struct os_state *state, const struct os_thread *waiter)
{
    uint64_t tid = holder(waiter);
    if (!tid || waiter->wait >> OS_ACTION == VM_ACT_JOIN)
        return;
    for (int k = 0; k < state->count; k++) {
        const struct os_thread *owner = state->thread[k];
        struct vm_trace_held record = {tid, awaited(waiter), owner->frame};
        if (owner->tid == tid)
            __divm_trace(VM_TRACE_HELD, &record, sizeof record);
    }
}

static _Noreturn void tell(int fault, const char *message, struct vm_frame *running)
{
    const struct os_state *state = os_state();
    const struct os_thread *self = os_self();
    for (int k = 0; state && k < state->count; k++) {
        os_come_in(state->thread[k]);
        tell_thread(state->thread[k], state->thread[k] == self ? running : NULL);
        tell_held(state, state->thread[k]);
    }
    if (state && self)
        os_come_in(self);
    __divm_trace(VM_TRACE_ERROR + (fault << 8), message, length(message));
    os_stop(VM_FLAG_ERROR);
}

__attribute__((weak)) void os_die(int fault, struct vm_frame *at)
{
    (void)fault, (void)at;
}

_Noreturn void __os_error(int fault, const char *message)
{
    os_enter();
    struct vm_frame *at = (struct vm_frame *)__divm_control(VM_REG_FRAME, VM_GET, 0);
    os_die(fault, at);
    tell(fault, message, at);
}

_Noreturn void os_deadlock(void)
{
    const struct os_state *state = os_state();
    char message[64], *end;
    end = os_put_number(message, (unsigned long)state->live);
    os_put(end,
           state->live == 1 ? " thread is blocked forever" : " threads are blocked forever");
    __os_error(VM_FAULT_DEADLOCK, message);
}

__attribute__((weak)) bool os_has_handler(int signal)
{
    (void)signal;
    return false;
}

/* Handles faults of the machine, which has told what is wrong.  A program that protects memory,
 * and has a handler for the signal, may well do such accesses on purpose. */
void os_fault(int kind, struct vm_frame *at)
{
    enum { SEGV = 11 };
    os_enter();
    os_die(kind, at);
    if (kind == VM_FAULT_PROTECTED && os_has_handler(SEGV))
        tell(VM_FAULT_SYSCALL,
             "an access of protected memory, for which there is a handler of SIGSEGV, is not "
             "supported",
             at);
    tell(kind, "", at);
}
