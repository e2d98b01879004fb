/* cex_loops.c - finds where the threads of an endless run run forever: the lines that they come
 * to in a long run, once all that can end has ended. */
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"
#include "checker/report/cex.h"

/* A listener to one run. */
struct hearing {
    struct cex *cex;
    struct vm *vm;
    uint64_t tid; /* that runs */
};

static void begin(void *context, struct vm *vm)
{
    ((struct hearing *)context)->vm = vm;
    ((struct hearing *)context)->cex->vm = vm;
}

static bool is_known(const struct cex *cex, uint64_t tid, const struct cex_place *place)
{
    for (size_t i = 0; i < cex->nloops; i++) {
        const struct cex_place *known = cex_user_place(&cex->loops[i].stack);
        if (cex->loops[i].tid == tid && known->line == place->line &&
            !strcmp(known->file, place->file))
            return true;
    }
    return false;
}

/* Drops what is known of the threads: it is told again at the end of the run. */
static void forget_threads(struct cex *cex)
{
    for (size_t i = 0; i < cex->nthreads; i++)
        cex->threads[i].state = CEX_FINISHED;
    for (size_t i = 0; i < cex->nlocks; i++)
        free(cex->locks[i].object);
    cex->nlocks = 0;
}

/* Notes that a thread acts on an address: what a thread that runs forever reads matters where
 * another one has changed it. */
static void note_touch(struct cex *cex, uint64_t tid, uint64_t addr)
{
    for (size_t i = 0; i < cex->ntouches; i++)
        if (cex->touches[i].tid == tid && cex->touches[i].addr == addr)
            return;
    struct cex_touch touch = {tid, addr};
    ARRAY_PUSH(cex->touches, cex->ntouches, cex->max_touches, touch);
}

/* Notes where threads are in the run that goes on. */
static void hear(void *context, const struct vm_event *event)
{
    struct hearing *hearing = context;
    struct cex *cex = hearing->cex;
    struct vm_trace_run run;
    if (event->kind == VM_EVENT_ACTION && event->addr)
        note_touch(cex, hearing->tid, event->addr);
    if (event->kind == VM_EVENT_TRACE &&
        (event->trace == VM_TRACE_THREAD || event->trace == VM_TRACE_HELD))
        cex_on_event(cex, event);
    if (event->kind != VM_EVENT_TRACE || event->trace != VM_TRACE_RUN ||
        event->len < sizeof run)
        return;
    memcpy(&run, event->data, sizeof run);
    hearing->tid = run.tid;
    struct cex_loop loop = {run.tid, cex_stack_of(hearing->vm, (uint64_t)run.saved.frame)};
    const struct cex_place *place = cex_user_place(&loop.stack);
    if (place && !is_known(cex, run.tid, place))
        ARRAY_PUSH(cex->loops, cex->nloops, cex->max_loops, loop);
    else
        cex_free_stack(&loop.stack);
}

static int compare(const void *a, const void *b)
{
    const struct cex_loop *x = a, *y = b;
    const struct cex_place *p = cex_user_place(&x->stack), *q = cex_user_place(&y->stack);
    if (x->tid != y->tid)
        return x->tid < y->tid ? -1 : 1;
    int files = strcmp(p->file, q->file);
    return files ? files : (p->line > q->line) - (p->line < q->line);
}

void cex_go_on(struct cex *cex, const struct vm_program *program,
               const struct vm_options *machine, const struct check_path *path)
{
    struct hearing hearing = {.cex = cex};
    bool ends = path->n > 1 && path->steps[path->n - 2].loop;
    cex->query = path->endless.query ? path->endless.query : cex->query;
    if (!cex_is_endless(cex) || ends)
        return;
    uint64_t heard = cex->heard;
    forget_threads(cex);
    check_go_on(program, machine, path, begin, hear, &hearing);
    cex->heard = heard; /* of the path */
    if (cex->nloops)
        qsort(cex->loops, cex->nloops, sizeof *cex->loops, compare);
    cex_free_stack(&cex->stack);
    if (cex->nloops)
        cex->stack = cex_copy_stack(&cex->loops[0].stack);
}

void cex_learn_monitor(struct cex *cex, uint64_t frame)
{
    char text[512];
    cex->tid = 0;
    free(cex->values);
    cex->values = vm_condition(cex->vm, frame, text, sizeof text) ? check_strdup(text) : NULL;
    if (!cex->stack.n)
        cex->stack = cex_stack_of(cex->vm, frame);
}

bool cex_is_endless(const struct cex *cex)
{
    return cex->kind == VM_FAULT_ENDLESS || cex->kind == VM_FAULT_LIVELOCK ||
           cex->kind == VM_FAULT_FORMULA || cex->kind == VM_FAULT_MONITOR;
}

bool cex_is_in_loop(const struct cex *cex, uint64_t tid)
{
    for (size_t i = 0; i < cex->nloops; i++)
        if (cex->loops[i].tid == tid)
            return true;
    return false;
}
