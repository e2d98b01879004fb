/* checkpoint.c - see checkpoint.h. */
#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/array.h"
#include "checker/search/spill.h"
#include "checker/search/usage.h"
#include "saved_file.h"
#include "search.h"

/* Seconds that a chunk may take when the search is to stop. */
static const double ALLOWED = 5;
/* The time that one took to write, times this, must pass before the next one: so writing takes
 * a fifth of the time at most. */
static const double REST = 4;

/* The counts of a search: all that is no state.  The structures are those of this divm
 * (saved_file.h). */
struct counts {
    int ndropped;
    unsigned dropped[VM_ASSUMPTIONS];
    uint64_t states, transitions, final_states, assumed, open_made, open_done;
    unsigned depth;
    bool cut, begun;
    size_t nerrors, nfar;
    uint64_t complete, budget_used, open_states, open_bytes, instructions;
    unsigned char level[sizeof(struct search_level)];
    enum dpor_end answer; /* of the search by executions, */
    int shared;
    double work;     /* which had done so much */
    bool executions; /* it follows at the end; else it has to be done again */
    size_t nsizes;
};

/* ---- asking ---------------------------------------------------------------------- */

static int get(const _Atomic int *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

static void set(_Atomic int *word, int value)
{
    atomic_store_explicit(word, value, memory_order_relaxed);
}

bool checkpoint_is_wanted(const struct search *search)
{
    return get(&search->saving.wanted) != 0;
}

bool checkpoint_stops(const struct search *search)
{
    return get(&search->saving.stop) != STOP_NONE;
}

/* Asks for a checkpoint.  The first reason counts.  `wanted` is seen late at worst; what it
 * asks for is read where all have met. */
void checkpoint_ask(struct search *search, int stop, enum check_limit limit)
{
    int none = STOP_NONE;
    if (stop != STOP_NONE &&
        atomic_compare_exchange_strong_explicit(&search->saving.stop, &none, stop,
                                                memory_order_relaxed, memory_order_relaxed)) {
        set(&search->saving.limit, (int)limit);
        atomic_store_explicit(&search->saving.asked, watch_now(), memory_order_relaxed);
    }
    set(&search->saving.wanted, 1);
}

bool checkpoint_is_due(const struct search *search, double now)
{
    const struct search_saving *saving = &search->saving;
    double every = search->options->saving->every;
    double last = atomic_load_explicit(&saving->last, memory_order_relaxed);
    double lasted = atomic_load_explicit(&saving->lasted, memory_order_relaxed);
    return now >= last + fmax(every, REST * lasted) && !get(&saving->wanted);
}

bool checkpoint_is_late(const struct search *search, double now)
{
    const struct search_saving *saving = &search->saving;
    double asked = atomic_load_explicit(&saving->asked, memory_order_relaxed);
    return asked > 0 && now > asked + ALLOWED && !get(&saving->writing);
}

/* ---- writing --------------------------------------------------------------------- */

static uint64_t count_of(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static void add_worker(struct counts *counts, const struct search_worker *worker)
{
    unsigned depth = atomic_load_explicit(&worker->depth, memory_order_relaxed);
    counts->states += count_of(&worker->states);
    counts->transitions += count_of(&worker->transitions);
    counts->final_states += count_of(&worker->final_states);
    counts->assumed += count_of(&worker->dropped);
    counts->open_made += count_of(&worker->open_made);
    counts->open_done += count_of(&worker->open_done);
    counts->depth = depth > counts->depth ? depth : counts->depth;
    counts->cut |= worker->cut;
    counts->instructions += vm_stats(worker->vm)->instructions - worker->aside;
}

static void collect(const struct search *search, struct counts *counts)
{
    memset(counts, 0, sizeof *counts);
    counts->ndropped = search->ndropped;
    memcpy(counts->dropped, search->dropped, sizeof search->dropped);
    counts->instructions = search->instructions_before;
    for (unsigned i = 0; i < search->nworkers; i++)
        add_worker(counts, &search->workers[i]);
    counts->begun = search->begun;
    counts->complete = search->complete;
    counts->budget_used = count_of(&search->budget_used);
    counts->open_states = search->open_states;
    counts->open_bytes = search->open_bytes;
    memcpy(counts->level, &search->level, sizeof search->level);
    counts->answer = search->answer;
    counts->shared = get(&search->shared);
    counts->work = search->dpor ? dpor_work(search->dpor) : 0;
    counts->executions =
        search->dpor && search->answer == DPOR_MORE && !dpor_is_halted(search->dpor);
    counts->nsizes = search->forecast.n;
}

enum { BLOCK = 4096 };

/* Writes which bytes threads have accessed, and how; takes over what was written. */
static void put_accessed(struct saved_file *file, const struct vm_program *program)
{
    size_t n;
    uint8_t block[BLOCK];
    const _Atomic(uint8_t) *accessed = vm_accessed(program, &n);
    for (size_t k = 0; k < n; k++) {
        block[k % BLOCK] = atomic_load_explicit(&accessed[k], memory_order_relaxed);
        if (k % BLOCK == BLOCK - 1 || k == n - 1)
            saved_put(file, block, k % BLOCK + 1);
    }
}

static bool get_accessed(struct saved_file *file, const struct vm_program *program)
{
    size_t n;
    uint8_t block[BLOCK];
    _Atomic(uint8_t) *accessed = vm_accessed(program, &n);
    for (size_t k = 0; k < n; k++) {
        size_t left = n - k < BLOCK ? n - k : BLOCK;
        if (k % BLOCK == 0 && !saved_get(file, block, left))
            return false;
        atomic_fetch_or_explicit(&accessed[k], block[k % BLOCK], memory_order_relaxed);
    }
    return true;
}

/* Writes a chunk: how many states, how many bytes, the bytes.  One that is in a file is
 * copied. */
static void put_chunk(struct saved_file *file, struct search *search, struct chunk *chunk)
{
    struct vm_bytes *buffer = &search->saving.buffer;
    if (!chunk->n)
        return;
    if (!chunk->size)
        chunk_encode(chunk, buffer);
    else if (!spill_peek(search->spill, chunk, buffer))
        file->error = file->error ? file->error : EIO;
    uint64_t head[2] = {chunk->n, buffer->n};
    saved_put(file, head, sizeof head);
    saved_put(file, buffer->at, buffer->n);
}

static void put_list(struct saved_file *file, struct search *search,
                     const struct worklist *list)
{
    for (size_t k = 0; k < list->n; k++) {
        struct chunk *chunk = atomic_load_explicit(&list->chunks[k], memory_order_relaxed);
        if (chunk)
            put_chunk(file, search, chunk);
    }
}

static void put_end(struct saved_file *file)
{
    uint64_t head[2] = {0, 0};
    saved_put(file, head, sizeof head);
}

/* Writes the chunks of this level that are left, and the chunks of the next level. */
static void put_chunks(struct saved_file *file, struct search *search)
{
    unsigned turn = search->level.turn;
    for (unsigned i = 0; i < search->nworkers; i++) {
        struct search_worker *worker = &search->workers[i];
        put_list(file, search, &worker->worklists[turn]);
        if (worker->left)
            put_chunk(file, search, worker->left);
    }
    put_end(file);
    for (unsigned i = 0; i < search->nworkers; i++) {
        struct search_worker *worker = &search->workers[i];
        put_list(file, search, &worker->worklists[turn ^ 1]);
        for (struct chunk *chunk = worker->found.top; chunk; chunk = chunk->below)
            put_chunk(file, search, chunk);
    }
    put_end(file);
}

static bool put_some(void *context, void *bytes, size_t n)
{
    struct saved_file *file = context;
    saved_put(file, bytes, n);
    return !file->error;
}

/* Writes a checkpoint; false, with the reason in errno, if the file is not there or as it
 * was. */
static bool write_all(struct search *search)
{
    const struct check_saving *saving = search->options->saving;
    struct saved_file file;
    struct counts counts;
    if (!saved_create(&file, saving->file, saving->identity))
        return false;
    collect(search, &counts);
    struct search_errors errors = search_errors(search);
    counts.nerrors = errors.n;
    for (unsigned i = 0; i < search->nworkers; i++)
        counts.nfar += search->workers[i].nfar;
    saved_put(&file, &counts, sizeof counts);
    put_accessed(&file, search->program);
    saved_put(&file, errors.at, errors.n * sizeof *errors.at);
    errors_fini(&errors);
    for (unsigned i = 0; i < search->nworkers; i++) {
        const struct search_worker *worker = &search->workers[i];
        saved_put(&file, worker->far, worker->nfar * sizeof *worker->far);
    }
    saved_put(&file, search->forecast.sizes, counts.nsizes * sizeof *search->forecast.sizes);
    store_save(search->store, &(struct store_stream){put_some, &file});
    put_chunks(&file, search);
    if (counts.executions)
        dpor_save(search->dpor, &(struct store_stream){put_some, &file});
    return saved_finish(&file, saving->file);
}

static void write_checkpoint(struct search *search)
{
    struct search_saving *saving = &search->saving;
    double start = watch_now();
    set(&saving->writing, 1);
    saving->saved = write_all(search);
    if (!saving->saved && !saving->told)
        fprintf(stderr, "divm: --checkpoint=%s: %s\n", search->options->saving->file,
                strerror(errno));
    saving->told |= !saving->saved;
    set(&saving->writing, 0);
    double end = watch_now();
    atomic_store_explicit(&saving->last, end, memory_order_relaxed);
    atomic_store_explicit(&saving->lasted, end - start, memory_order_relaxed);
}

/* Writes a checkpoint, as the last worker that came, while the others wait. */
static bool attend(struct search *search)
{
    struct search_saving *saving = &search->saving;
    bool wanted = atomic_exchange_explicit(&saving->wanted, 0, memory_order_relaxed) &&
                  !search_stopped(search);
    saving->saved &= wanted;
    if (!wanted)
        return false;
    write_checkpoint(search);
    if (get(&saving->stop) != STOP_NONE)
        search_stop(search, (enum search_stop)get(&saving->stop),
                    (enum check_limit)get(&saving->limit));
    return !search_stopped(search);
}

bool checkpoint_meet(struct search_worker *worker)
{
    struct search *search = worker->search;
    if (barrier_is_last(&search->barrier)) {
        search->saving.goes_on = attend(search);
        barrier_open(&search->barrier);
    }
    return search->saving.goes_on;
}

void checkpoint_alone(struct search *search)
{
    if (checkpoint_is_wanted(search))
        attend(search);
}

/* ---- reading --------------------------------------------------------------------- */

int checkpoint_dropped(const char *name, unsigned list[VM_ASSUMPTIONS])
{
    struct saved_file file;
    struct counts *counts = malloc(sizeof *counts);
    int n = -1;
    if (counts && saved_open(&file, name)) {
        if (saved_get(&file, counts, sizeof *counts)) {
            n = counts->ndropped;
            memcpy(list, counts->dropped, sizeof counts->dropped);
        }
        saved_close(&file);
    }
    free(counts);
    return n;
}

static void set_count(_Atomic uint64_t *counter, uint64_t n)
{
    atomic_store_explicit(counter, n, memory_order_relaxed);
}

/* Takes over the counts: worker 0 has done all. */
static void take_over(struct search *search, const struct counts *counts)
{
    struct search_worker *worker = &search->workers[0];
    set_count(&worker->states, counts->states);
    set_count(&worker->transitions, counts->transitions);
    set_count(&worker->final_states, counts->final_states);
    set_count(&worker->dropped, counts->assumed);
    set_count(&worker->open_made, counts->open_made);
    set_count(&worker->open_done, counts->open_done);
    atomic_store_explicit(&worker->depth, counts->depth, memory_order_relaxed);
    worker->cut = counts->cut;
    search->begun = counts->begun;
    search->complete = counts->complete;
    set_count(&search->budget_used, counts->budget_used);
    search->open_states = counts->open_states;
    search->open_bytes = counts->open_bytes;
    search->instructions_before = counts->instructions;
    memcpy(&search->level, counts->level, sizeof search->level);
    search->level.turn = 0;
    search->level.stay = false;
    set(&search->shared, counts->shared);
}

/* Reads chunks into worker 0's part of a level; the states are read when they are expanded. */
static bool get_chunks(struct saved_file *file, struct search *search,
                       struct worklist *worklist)
{
    struct queue queue;
    uint64_t head[2];
    queue_init(&queue);
    while (saved_get(file, head, sizeof head) && head[0]) {
        off_t offset = ftello(file->stream);
        queue_add(&queue,
                  chunk_in_file(head[0], search->saving.from, (uint64_t)offset, head[1]));
        if (fseeko(file->stream, (off_t)head[1], SEEK_CUR) != 0)
            file->error = errno;
    }
    worklist_fill(worklist, &queue);
    return !file->error;
}

/* Runs the executions again.  A search by executions that had its answer, or was in the middle
 * of a transition, is not in the file: its work comes to the same figure again. */
static void run_again(struct search *search, const struct counts *counts)
{
    if (!search->dpor || counts->work <= 0 || counts->executions)
        return;
    bool ended = counts->answer != DPOR_MORE;
    search->answer = dpor_run(search->dpor, ended ? HUGE_VAL : counts->work, &search->at_once);
}

static bool get_some(void *context, void *bytes, size_t n)
{
    return saved_get(context, bytes, n);
}

static bool load_all(struct search *search, struct saved_file *file, struct counts *counts)
{
    struct worklist *lists = search->workers[0].worklists;
    struct forecast *forecast = &search->forecast;
    if (!saved_get(file, counts, sizeof *counts))
        return false;
    take_over(search, counts);
    if (!get_accessed(file, search->program))
        return false;
    for (size_t i = 0; i < counts->nerrors; i++) {
        struct search_error error;
        if (saved_get(file, &error, sizeof error))
            errors_note(&search->workers[0].errors, &error);
    }
    for (size_t i = 0; i < counts->nfar; i++) {
        struct search_worker *worker = &search->workers[0];
        struct search_far far;
        if (saved_get(file, &far, sizeof far))
            ARRAY_PUSH(worker->far, worker->nfar, worker->max_far, far);
    }
    for (size_t i = 0; i < counts->nsizes; i++) {
        double size;
        if (saved_get(file, &size, sizeof size))
            forecast_add(forecast, size);
    }
    if (!store_load(search->store, &(struct store_stream){get_some, file}) ||
        !get_chunks(file, search, &lists[0]) || !get_chunks(file, search, &lists[1]))
        return false;
    if (counts->executions &&
        (!search->dpor || !dpor_load(search->dpor, &(struct store_stream){get_some, file})))
        return false;
    struct search_level *level = &search->level;
    if (level->counted && level->n >= lists[0].n)
        atomic_store_explicit(&level->next, level->n - lists[0].n, memory_order_relaxed);
    return true;
}

bool checkpoint_load(struct search *search)
{
    const char *name = search->options->saving->resume;
    struct saved_file file;
    struct counts *counts = malloc(sizeof *counts);
    search->saving.from = open(name, O_RDONLY | O_CLOEXEC);
    bool good = counts && search->saving.from >= 0 && saved_open(&file, name);
    if (good) {
        good = load_all(search, &file, counts);
        saved_close(&file);
    }
    if (good)
        run_again(search, counts);
    free(counts);
    return good;
}
