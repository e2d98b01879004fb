/* apart.c - see apart.h. */
#include "apart.h"
#include "checker/search/usage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "guard.h"

enum {
    POLL_NS = 10 * 1000 * 1000,
    RESERVE = 2 << 20, /* bytes, for what is told when all memory is gone */
};

struct apart {
    void (*body)(void *context);
    void *context;
    const struct check_options *options; /* the caller's, who waits */
    uint64_t max_bytes;                  /* the same, also later */
    _Atomic bool refused;                /* for want of room within the limit */
    pthread_mutex_t lock;                /* protects the rest */
    pthread_cond_t changed;
    enum apart_end end;
    bool over;
    void *reserve;
};

static bool fits(const struct apart *apart, size_t bytes)
{
    return watch_resident_bytes() + bytes <= apart->max_bytes;
}

static bool has_room(void *context, size_t bytes)
{
    struct apart *apart = context;
    if (!apart->max_bytes || fits(apart, bytes))
        return true;
    watch_purge();
    bool room = fits(apart, bytes);
    if (!room)
        atomic_store_explicit(&apart->refused, true, memory_order_relaxed);
    return room;
}

static void tell(struct apart *apart, enum apart_end end)
{
    pthread_mutex_lock(&apart->lock);
    if (!apart->over)
        apart->end = end;
    apart->over = true;
    free(apart->reserve);
    apart->reserve = NULL;
    pthread_cond_signal(&apart->changed);
    pthread_mutex_unlock(&apart->lock);
}

/* Ends the work where there is no memory.  What its thread was about to change is neither as it
 * was nor as it will be: nobody uses it any more. */
static void exhausted(void *context)
{
    struct apart *apart = context;
    bool refused = atomic_load_explicit(&apart->refused, memory_order_relaxed);
    tell(apart, refused ? APART_MEMORY : APART_EXHAUSTED);
    for (;;)
        pause();
}

static void *run(void *arg)
{
    struct apart *apart = arg;
    vm_relieve(&(struct vm_relief){exhausted, has_room, apart});
    apart->body(apart->context);
    vm_relieve(NULL);
    vm_thread_ends();
    tell(apart, APART_DONE);
    return NULL;
}

/* Returns the reason to leave the work; DONE: there is none. */
static enum apart_end reason_to_leave(const struct check_options *options)
{
    if (options->interrupted &&
        atomic_load_explicit(options->interrupted, memory_order_relaxed))
        return APART_INTERRUPTED;
    if (options->deadline > 0 && watch_now() >= options->deadline)
        return APART_TIME;
    if (options->max_bytes && watch_resident_bytes() >= options->max_bytes)
        return APART_MEMORY;
    return APART_DONE;
}

static void wait_a_while(struct apart *apart)
{
    struct timespec wake;
    clock_gettime(CLOCK_REALTIME, &wake);
    wake.tv_nsec += POLL_NS;
    if (wake.tv_nsec >= 1000000000) {
        wake.tv_nsec -= 1000000000;
        wake.tv_sec++;
    }
    pthread_cond_timedwait(&apart->changed, &apart->lock, &wake);
}

static enum apart_end wait_for(struct apart *apart, bool limited)
{
    pthread_mutex_lock(&apart->lock);
    while (!apart->over && limited) {
        wait_a_while(apart);
        enum apart_end end = apart->over ? APART_DONE : reason_to_leave(apart->options);
        if (end != APART_DONE) {
            apart->over = true;
            apart->end = end;
        }
    }
    while (!apart->over)
        pthread_cond_wait(&apart->changed, &apart->lock);
    enum apart_end end = apart->end;
    pthread_mutex_unlock(&apart->lock);
    return end;
}

static enum apart_end run_apart(void (*body)(void *context), void *context,
                                const struct check_options *options, bool limited)
{
    struct apart *apart = calloc(1, sizeof *apart);
    pthread_t thread;
    if (!apart)
        return APART_EXHAUSTED;
    *apart = (struct apart){.body = body,
                            .context = context,
                            .options = options,
                            .max_bytes = options->max_bytes,
                            .reserve = malloc(RESERVE)};
    pthread_mutex_init(&apart->lock, NULL);
    pthread_cond_init(&apart->changed, NULL);
    if (pthread_create(&thread, NULL, run, apart) != 0)
        return APART_EXHAUSTED;
    enum apart_end end = wait_for(apart, limited);
    if (end != APART_DONE)
        return end; /* others may still ask it */
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&apart->lock);
    pthread_cond_destroy(&apart->changed);
    free(apart);
    return APART_DONE;
}

enum apart_end apart_run(void (*body)(void *context), void *context,
                         const struct check_options *options)
{
    return run_apart(body, context, options, false);
}

enum apart_end apart_run_limited(void (*body)(void *context), void *context,
                                 const struct check_options *options)
{
    return run_apart(body, context, options, true);
}

enum check_limit apart_limit(enum apart_end end)
{
    switch (end) {
    case APART_EXHAUSTED: return CHECK_LIMIT_EXHAUSTED;
    case APART_MEMORY: return CHECK_LIMIT_MEMORY;
    case APART_TIME: return CHECK_LIMIT_TIME;
    case APART_DONE:
    case APART_INTERRUPTED:
    case APART_CRASHED: break;
    }
    return CHECK_LIMIT_NONE;
}
