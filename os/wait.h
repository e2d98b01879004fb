/* wait.h - visible actions, and waiting until a word has the right sign.
 *
 * In the kernel, all of it.  A thread stops before its visible action; where it waits, its
 * record says for which word (struct os_thread), which must stay until it goes on. */
#ifndef OS_WAIT_H
#define OS_WAIT_H

#include "os/commute.h"
#include "os/state.h"
#include "os/stuck.h"

/* When a waiting thread is ready, by the sign of its word: bit 0 if it is zero,
 * bit 1 if positive, bit 2 if negative.  OS_FOR_EVER waits until another thread
 * changes the record (os_wake, or |= of a condition). */
enum {
    OS_FOR_EVER = 0,
    OS_WHILE_NONZERO = 1,
    OS_WHILE_ZERO = 2 | 4,
    OS_WHILE_NEGATIVE = 1 | 2,
    OS_WHILE_POSITIVE = 1 | 4,
    OS_ALWAYS = 1 | 2 | 4,
    /* for reports: who holds what the word belongs to */
    OS_LOCK = 8,    /* the word is that of a struct os_lock */
    OS_HOLDER = 16, /* the holder has the word listed (os/reading.h) */
    /* what else ends the wait, see os_wait_open: pthread_cancel; a signal, or
       only its handler runs and the wait goes on; always a signal */
    OS_BY_CANCEL = 32,
    OS_BY_SIGNAL = 64,
    OS_FOR_SIGNAL = 128,
    OS_ACTION = 8 /* shift of the action */
};

_Static_assert((OS_BY_CANCEL | OS_BY_SIGNAL | OS_FOR_SIGNAL) == VM_READY_OTHERWISE, "ready");

OS_INLINE bool os_word_ready(const int *word, uint32_t wait)
{
    int value = *word;
    if (__builtin_constant_p(wait)) /* that leaves one comparison */
        return (wait & 1 && value == 0) || (wait & 2 && value > 0) || (wait & 4 && value < 0);
    return wait >> ((value != 0) + ((unsigned)value >> 31)) & 1;
}

OS_INLINE bool os_ready(const struct os_thread *thread)
{
    return !thread->word || os_word_ready(thread->word, thread->wait);
}

_Noreturn void os_deadlock(void);

/* Does a visible action that never waits: the thread stops before it, and comes back in the
 * kernel.  `object` and `size` say what it acts on. */
OS_INLINE void os_act(int action, const void *object, size_t size)
{
    __divm_interrupt_mem(object, size, action);
}

/* Writes into the thread's record what it waits for; the machine and reports read that. */
OS_INLINE void os_note_wait(struct os_thread *self, int action, const int *word, uint32_t wait)
{
    self->word = word;
    self->wait = wait | (uint32_t)(action & ~VM_ACT_READY) << OS_ACTION;
}
OS_INLINE void os_forget_wait(struct os_thread *self)
{
    self->word = NULL;
    self->wait = 0;
}

/* Stops before the action until the wait is over; the record still says what it was. */
OS_INLINE void os_stop_before(struct os_thread *self, int action, const void *object,
                              size_t size, const int *word, uint32_t wait)
{
    os_note_wait(self, action, word, wait);
    __divm_interrupt_mem(object, size, action);
    if (!os_word_ready(word, self->wait))
        os_deadlock();
}

/* Does a visible action that is not possible while `word` is as `wait` says.  Comes back in the
 * kernel, with the condition met and nothing else done since.  It may be called again before
 * os_leave.  A thread that is alone does not stop, and if it would have to wait, nobody can
 * ever wake it. */
OS_INLINE void os_wait(int action, const void *object, size_t size, const int *word,
                       uint32_t wait)
{
    struct os_thread *self = os_self();
    os_stop_before(self, action, object, size, word, wait);
    os_forget_wait(self);
}

/* Waits as os_wait does, but a signal or a cancellation can end the wait: true if one did,
 * which can be although the condition holds by now. */
OS_INLINE bool os_wait_open(int action, const void *object, size_t size, const int *word,
                            uint32_t wait)
{
    struct os_thread *self = os_self();
    os_stop_before(self, action, object, size, word, wait);
    bool interrupted = (self->wait & OS_ALWAYS) == OS_ALWAYS;
    os_forget_wait(self);
    return interrupted && (!os_word_ready(word, wait) || __divm_choose(2, NULL));
}

/* Waits with a time limit, which can pass at any moment: true if the condition holds, false if
 * time is over. */
OS_INLINE bool os_wait_timed(int action, const void *object, size_t size, const int *word,
                             uint32_t wait)
{
    __divm_interrupt_mem(object, size, action);
    return os_word_ready(word, wait);
}

/* Does what os_wait does for what another thread holds (NULL: not known which), or for its end.
 * Most such threads go on. */
OS_INLINE void os_wait_held(int action, const void *object, size_t size, const int *word,
                            uint32_t wait, const struct os_thread *holder)
{
    struct os_thread *self = os_self();
    os_note_wait(self, action, word, wait);
    os_commutes_begin(); /* who is the last finds it: the order of the others is the same */
    if (!os_word_ready(word, wait) && !(holder && os_is_thread(holder) && !holder->word))
        os_check_stuck(self);
    __divm_interrupt_mem(object, size, action);
    if (!os_word_ready(word, wait)) /* no signal ends it */
        os_deadlock();
    os_commutes_begin(); /* nobody else goes by what it has waited for */
    os_forget_wait(self);
    os_commutes_end();
}

/* Makes what the running thread has done happen before what another thread does after
 * os_be_told of the same object: for instance where a call gives a lock away that it is not
 * about (vm/action.def). */
OS_INLINE void os_pass_on(const void *object)
{
    __divm_control(VM_REG_ORDERS, VM_SET, (uint64_t)object);
}
/* Notes that the kernel has read the last value of a word for the thread. */
OS_INLINE void os_has_seen(const int *word)
{
    __divm_control(VM_REG_ORDERS, VM_OR, (uint64_t)word);
}
OS_INLINE void os_be_told(const void *object)
{
    __divm_control(VM_REG_ORDERS, VM_GET, (uint64_t)object);
}

#endif
