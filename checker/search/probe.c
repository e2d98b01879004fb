/* probe.c - see probe.h. */
#include "probe.h"

#include <math.h>

#include "checker/search/guard.h"
#include "checker/search/usage.h"
#include "search.h"

enum { MOST_RUNS = 100, MOST_STEPS = 100000 };
static const double PART = 0.01, LEAST_SECONDS = 0.01;

enum end { END, UNENDED, HALTED };

struct prober {
    struct vm *vm;
    struct probe *probe;
    int first;      /* all runs are alike up to this choice: of so many */
    double product; /* of what was chosen from, its logarithm to the base of 10 */
};

/* Returns a random number below n (Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", 2014). */
static int draw(uint64_t *seed, int n)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (int)((z ^ (z >> 31)) % (uint64_t)n);
}

static void choose(struct prober *prober, int n)
{
    prober->product += log10(n);
    vm_choose(prober->vm, n > 1 ? draw(&prober->probe->seed, n) : 0);
}

/* Runs up to the first choice of two or more; false if there is none, or the machine was
 * halted. */
static bool run_up(struct prober *prober)
{
    struct vm *vm = prober->vm;
    const unsigned ends = VM_FLAG_ERROR | VM_FLAG_CANCEL | VM_FLAG_END;
    vm_boot(vm);
    for (;;) {
        enum vm_stop stop = vm_run(vm);
        if (stop == VM_STOP_HALTED)
            return false;
        if (stop == VM_STOP_CHOOSE) {
            prober->first = vm_pending(vm).n;
            if (prober->first > 1)
                break;
            vm_choose(vm, 0);
        } else if (vm_broken(vm) || (vm_flags(vm) & ends)) {
            prober->probe->over = true;
            return false;
        } else {
            vm_start(vm);
        }
    }
    vm_mark(vm);
    return true;
}

/* Runs from the mark to the end of a run; *steps: its transitions. */
static enum end run_once(struct prober *prober, uint64_t *steps)
{
    struct vm *vm = prober->vm;
    const unsigned ends = VM_FLAG_ERROR | VM_FLAG_CANCEL | VM_FLAG_END;
    vm_rollback(vm);
    prober->product = 0;
    *steps = 1;
    choose(prober, prober->first);
    for (;;) {
        enum vm_stop stop = vm_run(vm);
        if (stop == VM_STOP_HALTED || vm_broken(vm))
            return HALTED;
        if (stop == VM_STOP_CHOOSE) {
            choose(prober, vm_pending(vm).n);
            continue;
        }
        if (vm_flags(vm) & ends)
            return END;
        if (*steps >= MOST_STEPS)
            return UNENDED;
        ++*steps;
        vm_start(vm);
    }
}

/* Returns the logarithm of a sum, by those of its parts. */
static double log_of_sum(double a, double b)
{
    double most = fmax(a, b);
    return most + log10(1 + pow(10, fmin(a, b) - most));
}

static void note(struct probe *probe, double product, uint64_t steps)
{
    struct check_runs *runs = &probe->runs;
    double n = (double)++runs->n;
    bool first = n < 2;
    probe->logs = first ? product : log_of_sum(probe->logs, product);
    runs->shortest = first || steps < runs->shortest ? steps : runs->shortest;
    runs->longest = steps > runs->longest ? steps : runs->longest;
    runs->mean += ((double)steps - runs->mean) / n;
    runs->log_least = first ? product : fmin(runs->log_least, product);
    runs->log_most = first ? product : fmax(runs->log_most, product);
    runs->log_all = probe->logs - log10(n);
}

/* Makes runs until the thread's processor time is `until`. */
static void run_some(struct prober *prober, double until)
{
    struct probe *probe = prober->probe;
    struct check_runs *runs = &probe->runs;
    enum end end = END;
    while (end != HALTED && watch_thread_time() < until &&
           runs->n + runs->unended < MOST_RUNS) {
        uint64_t steps;
        end = run_once(prober, &steps);
        if (end == END)
            note(probe, prober->product, steps);
        runs->unended += end == UNENDED;
    }
    probe->over |= runs->n + runs->unended >= MOST_RUNS || vm_broken(prober->vm);
}

/* Makes runs for some seconds.  A run that takes much longer than the others, or the first one
 * that takes too long, is halted. */
static void run_for(struct search *search, double seconds)
{
    enum { SHARED = 4 }; /* with so many others, a processor gives that in time */
    struct probe *probe = &search->probe;
    double until = watch_thread_time() + seconds;
    struct guard guard;
    struct walk walk;
    guard_begin(&guard, search->options, watch_now() + SHARED * seconds);
    struct prober prober = {search_machine(search, &guard.halt, &walk), probe, 0, 0};
    if (prober.vm) {
        if (run_up(&prober))
            run_some(&prober, until);
        walk_fini(&walk);
        vm_give_back(prober.vm);
        vm_close(prober.vm);
    }
    guard_end(&guard);
}

double probe_length(const struct probe *probe)
{
    enum { FEWEST = 3 };
    static const double alike = 1.5;
    const struct check_runs *runs = &probe->runs;
    bool known = runs->n >= FEWEST && !runs->unended &&
                 (double)runs->longest <= alike * (double)runs->shortest;
    return known ? (double)runs->shortest : 0;
}

void probe_some(struct search *search)
{
    struct probe *probe = &search->probe;
    if (probe->over || !search->options->probes)
        return;
    double may = PART * (watch_now() - probe->begun) - probe->spent,
           start = watch_thread_time();
    double need = fmax(fmax(probe->need, LEAST_SECONDS), 2 * probe->boot);
    if (may < need)
        return;
    run_for(search, may);
    probe->spent += watch_thread_time() - start;
    probe->need = 2 * need; /* what was not enough shall be enough then */
}
