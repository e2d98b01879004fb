/* scheduler.c - the threads of a run, as all schedulers see them. */
#include "scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "checker/array.h"

static const struct scheduler *const all[] = {
#define SCHEDULER(id, name, text) &scheduler_##id,
#include "schedulers.def"
};

const struct scheduler *scheduler_by_index(unsigned index)
{
    return all[index];
}

void scheduling_fini(struct scheduling *s)
{
    free(s->threads);
    free(s->changes);
}

void scheduling_begin(struct scheduling *s, struct random random)
{
    memset(s->threads, 0, s->nthreads * sizeof *s->threads);
    s->random = random;
    s->step = s->running = s->turns = 0;
    s->running_number = s->met = s->intended = 0;
    s->nthreads = s->nchanges = s->passed = 0;
    s->object = (struct vm_coming){0};
    if (s->scheduler->begin)
        s->scheduler->begin(s);
}

/* The most threads that are told apart; of more, some share what is remembered. */
enum { MOST = 1 << 16 };

static void make_room(struct scheduling *s, uint32_t number)
{
    size_t max = s->max_threads;
    while (s->max_threads <= number && s->max_threads < MOST)
        s->threads =
            array_grow(s->threads, s->max_threads, &s->max_threads, sizeof *s->threads);
    if (s->max_threads > max)
        memset(s->threads + max, 0, (s->max_threads - max) * sizeof *s->threads);
}

void scheduling_meet(struct scheduling *s, const struct vm_choice *choice)
{
    for (int i = 0; i < choice->n; i++) {
        const struct vm_candidate *candidate = &choice->candidates[i];
        if (candidate->number >= s->max_threads)
            make_room(s, candidate->number);
        struct sim_thread *thread = scheduling_thread(s, candidate);
        if (thread->thread == candidate->thread)
            continue;
        size_t place = (size_t)(thread - s->threads);
        if (place >= s->nthreads)
            s->nthreads = place + 1;
        *thread = (struct sim_thread){.thread = candidate->thread,
                                      .number = candidate->number,
                                      .parent = s->running_number};
        s->met++;
        if (s->scheduler->meet)
            s->scheduler->meet(s, thread);
    }
}

int scheduling_running(const struct scheduling *s, const struct vm_choice *choice)
{
    for (int k = 0; s->running && k < choice->n; k++)
        if (choice->candidates[k].thread == s->running)
            return k;
    return -1;
}

const struct vm_coming *scheduling_coming(const struct scheduling *s,
                                          const struct vm_candidate *candidate)
{
    struct sim_thread *thread = scheduling_thread(s, candidate);
    if (!thread->known)
        thread->coming = vm_coming(s->vm, candidate->thread);
    thread->known = true;
    return &thread->coming;
}

bool scheduling_conflict(const struct vm_coming *a, const struct vm_coming *b)
{
    return a->size && b->size && (a->write || b->write) && a->addr < b->addr + b->size &&
           b->addr < a->addr + a->size;
}
