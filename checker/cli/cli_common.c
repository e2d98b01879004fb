/* cli_common.c - values that several commands make of the options. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "checker/build/compile.h"
#include "checker/build/limits.h"
#include "checker/cli/cli.h"
#include "checker/memory.h"
#include "checker/program.h"
#include "checker/query/set.h"
#include "checker/report/report.h"
#include "checker/search/apart.h"
#include "checker/search/interrupt.h"
#include "vm/vm.h"

/* The second interrupt ends the process. */
static void on_interrupt(int number)
{
    static atomic_bool before;
    atomic_store_explicit(&check_interrupted, 1, memory_order_relaxed);
    if (number != SIGTERM && atomic_exchange(&before, true)) {
        compile_abandon();
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void on_question(int number)
{
    (void)number;
    atomic_store_explicit(&check_asked, 1, memory_order_relaxed);
}

/* Ends the process at once, since threads may be left that go on. */
void cli_leave(int status)
{
    bool told = fflush(stdout) == 0;
    _exit(told ? status : CHECK_EXIT_INTERNAL);
}

int cli_unloaded(void)
{
    switch (build_limits.end) {
    case APART_DONE: return check_is_interrupted() ? CHECK_EXIT_INTERRUPT : CHECK_EXIT_REFUSED;
    case APART_INTERRUPTED: return CHECK_EXIT_INTERRUPT;
    case APART_CRASHED: return CHECK_EXIT_REFUSED;
    case APART_EXHAUSTED:
    case APART_MEMORY:
    case APART_TIME: break;
    }
    return CHECK_EXIT_INCOMPLETE;
}

/* Catches signals.  (Whoever asks the process to end may do so twice at once, as timeout(1)
 * does, and gets the report.) */
void cli_catch_signals(void)
{
    struct sigaction interrupt = {.sa_handler = on_interrupt};
    struct sigaction question = {.sa_handler = on_question, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &interrupt, NULL);
    sigaction(SIGHUP, &interrupt, NULL);
    sigaction(SIGUSR1, &question, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that is too large is an error like others */
}

/* Returns the part of a memory limit that one path's memory may have, beside the program and
 * the rest of divm: if a path alone needs more, the report says which, and in every run the
 * same. */
static size_t guest_bytes(double limit)
{
    static const double own = 64 << 20;
    double most = limit / 8 * 7 - own;
    return (size_t)(most > limit / 8 ? most : limit / 8);
}

static unsigned left_out_caches(const struct cli *cli)
{
    static const unsigned caches[CACHE_COUNT] = {
#define CACHE(id, name, help) [CACHE_##id] = VM_CACHE_##id,
#include "caches.def"
    };
    unsigned left_out = 0;
    for (int i = 0; i < CACHE_COUNT; i++)
        left_out |= cli->cache[i] ? 0 : caches[i];
    return left_out;
}

enum { MEMORY_AUTO, MEMORY_SC, MEMORY_TSO, MEMORY_C11 };

/* Do weak compare-exchanges fail spuriously?  x86's never do, and how likely it is on other
 * processors nobody knows; one that fails for ever is no infinite run that anybody asks for. */
static bool has_spurious_failures(const struct cli *cli)
{
    const struct cli_value *value = &cli->value[OPT_SPURIOUS_FAILURES];
    bool x86 = (int)cli->value[OPT_MEMORY].number == MEMORY_TSO;
    bool endless = cli_asks_infinite_runs(cli);
    bool unless_said = cli->command->bit & (VERIFY | SIMULATE) && !x86 && !endless;
    return value->given ? value->number != 0 : unless_said;
}

struct vm_options cli_machine(const struct cli *cli)
{
    int memory = (int)cli->value[OPT_MEMORY].number;
    bool report_races = cli->value[OPT_RACES].number == 0;
    double limit = cli->value[OPT_MAX_MEMORY].number;
    struct vm_options machine = {
        .max_object_bytes = limit > 0 && limit < (1 << 30) ? (size_t)limit : 0,
        .max_host_bytes = guest_bytes(limit),
        .coalesce = cli->reduction[RED_COALESCE],
        .private_objects = cli->reduction[RED_PRIVATE],
        .race_free = cli->reduction[RED_RACE_FREE] && report_races,
        .read_only = cli->reduction[RED_READ_ONLY],
        .all_exposed = !cli->reduction[RED_UNEXPOSED],
        .report_races = report_races,
        .tells_found = cli->reduction[RED_RETRY],
        .tells_places = cli->reduction[RED_FORWARD],
        .weak_memory = memory == MEMORY_AUTO || memory == MEMORY_C11,
        .spurious_failures = has_spurious_failures(cli),
        .spurious_anyway = cli->value[OPT_SPURIOUS_FAILURES].given,
        .store_buffers = memory == MEMORY_TSO,
        .lazy_drains = cli->reduction[RED_DRAIN],
        .heap_symmetry = cli->reduction[RED_HEAP_SYMMETRY],
        .conditional = cli->reduction[RED_CONDITIONAL],
        .deferred_joins = cli->reduction[RED_JOINS],
        .thread_symmetry = cli->reduction[RED_THREAD_SYMMETRY],
        .keep_dead_registers = !cli->reduction[RED_DEAD],
        .left_out = left_out_caches(cli),
        .halt = &check_interrupted,
    };
    query_set_options(cli->queries, &machine);
    return machine;
}

static void harden(struct cli_program *program, const struct cli_value *value)
{
    static const char *const modes[] = {"NONE", "FAST", "EXTENSIVE", "DEBUG"};
    char option[80];
    if (!value->given)
        return;
    snprintf(option, sizeof option, "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_%s",
             modes[(int)value->number]);
    strings_add(&program->compiler, option);
}

void cli_program_options(struct cli *cli)
{
    struct cli_program *program = &cli->program;
    const struct cli_value *value = cli->value;
    if (value[OPT_LEAKS].number != 0)
        program->boot_options |= VM_BOOT_LEAKS;
    if (value[OPT_MALLOC_MAY_FAIL].number != 0)
        program->boot_options |= VM_BOOT_MALLOC_FAIL;
    if (value[OPT_SPURIOUS_WAKEUPS].number != 0)
        program->boot_options |= VM_BOOT_SPURIOUS;
    static const uint32_t clocks[] = {0, VM_BOOT_CLOCK, VM_BOOT_PROMPT};
    program->boot_options |= clocks[(int)value[OPT_CLOCK].number];
    if (value[OPT_OUTPUT_MATTERS].number != 0)
        program->boot_options |= VM_BOOT_OUTPUT;
    if (!cli->reduction[RED_EAGER])
        program->boot_options |= VM_BOOT_NO_EAGER;
    if (!cli->reduction[RED_EXIT])
        program->boot_options |= VM_BOOT_NO_LAST;
    harden(program, &value[OPT_HARDENING]);
    program->check_overflow = value[OPT_OVERFLOW].number != 0;
    program->notes = value[OPT_OUTPUT_HTML].text != NULL;
    program->check_alignment = value[OPT_ALIGNMENT].number != 0;
    program->coverage = value[OPT_COVERAGE].number != 0 || value[OPT_OUTPUT_LCOV].text;
    program->entry = check_strdup(value[OPT_ENTRY].text);
    program->database = check_strdup(value[OPT_DATABASE].text);
    program->language = check_strdup(value[OPT_LANGUAGE].text);
}

static bool has_color(const struct cli *cli, FILE *out)
{
    enum { AUTO, ALWAYS };
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    double choice = cli->value[OPT_COLOR].number;
    if (choice != AUTO)
        return choice == ALWAYS;
    return isatty(fileno(out)) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

static int line_width(FILE *out)
{
    enum { DEFAULT = 100, LEAST = 40 };
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int width = columns ? atoi(columns) : 0;
    if (width < LEAST && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    return width < LEAST ? DEFAULT : width;
}

bool cli_wants_accesses(const struct cli *cli)
{
    return cli->value[OPT_TRACE].number == REPORT_ACCESSES;
}

struct report cli_report(const struct cli *cli, FILE *out)
{
    return (struct report){
        .out = out,
        .color = has_color(cli, out),
        .width = line_width(out),
        .trace = (enum report_trace)cli->value[OPT_TRACE].number,
    };
}

int cli_exit(const struct cli *cli, int status)
{
    if (cli->value[OPT_EXIT_STYLE].number == 0 || status == CHECK_EXIT_OK)
        return status;
    return status >= 10 && status != CHECK_EXIT_INTERRUPT ? 1 : 2;
}
