/* run.h - one machine that runs a program again and again.
 *
 * What all runs have in common, up to the first choice, is executed once; there the machine is
 * marked, and each run begins by a rollback.  A struct runner belongs to one thread. */
#ifndef CHECKER_RUN_H
#define CHECKER_RUN_H

#include "checker/search/check.h"
#include "checker/search/encounters.h"
#include "scheduler.h"

/* The end of a run. */
enum run_end {
    RUN_FINAL,   /* the program ended */
    RUN_ERROR,   /* with an error */
    RUN_DROPPED, /* by an assumption that fails */
    RUN_CUT,     /* it would go on: a limit of steps or instructions */
    RUN_BROKEN,  /* what the machine takes for granted does not hold: runner_broken */
    RUN_HALTED,  /* options.halt was set, or there is no memory */
};

/* A transition of a recorded run. */
struct turn {
    uint32_t number;    /* of the thread that was chosen; 0: nothing was */
    bool preempts;      /* another one could have gone on */
    size_t choices;     /* there had been so many before */
    size_t first_value; /* and so many of values */
};

/* The choices of a run, where there was more than one alternative. */
struct record {
    int *choices;
    size_t nchoices, max_choices;
    int *values; /* those of them that are no threads */
    size_t nvalues, max_values;
    struct turn *turns;
    size_t nturns, max_turns;
    bool blind; /* threads were chosen that cannot be told apart */
};

void record_fini(struct record *record);
/* Counts the preemptions among the turns of the record. */
size_t record_preemptions(const struct record *record);

struct runner {
    struct vm *vm;
    struct scheduling scheduling;
    struct vm_choice first; /* the choice at which runs part; n 0: there is none */
    struct vm_candidate *candidates;
    uint64_t before;    /* transitions from the first state up to it */
    enum run_end alike; /* then all runs end so */
    uint64_t max_steps, max_instructions, instructions;
    struct profile *profiled;      /* not NULL: what a run does is counted here */
    struct encounters *encounters; /* of the options */
    bool at_first;                 /* the machine has been rolled back to there */
    struct record *record;         /* not NULL: runs are recorded */
    /* Not NULL: the function says the values that are chosen. */
    int (*value)(void *context, struct scheduling *s, int n);
    void *value_context;
    uint64_t steps; /* of all runs */
    bool chose;     /* a thread, in the present transition */
    uint32_t number;
};

/* Runs up to the first choice.  False if there is no memory. */
bool runner_open(struct runner *runner, const struct vm_program *program,
                 const struct vm_options *machine, const struct check_options *options,
                 const struct profile *profile);
void runner_close(struct runner *runner);
/* Makes one run, by the scheduler; the machine stays at its end. */
enum run_end runner_run(struct runner *runner, const struct scheduler *scheduler,
                        struct random random);
/* Computes the fingerprint of a run that has ended with FINAL: equal for equal final states. */
void runner_hash(struct runner *runner, uint64_t hash[2]);

#endif
