/* check_test.c - search, limits, paths, traces and reports, over the toy programs of
 * fake/vm.c. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "checker/cli/cli.h"
#include "checker/cli/trace.h"
#include "checker/nearest.h"
#include "checker/report/cex.h"
#include "checker/report/report.h"
#include "checker/search/check.h"
#include "checker/search/search.h"
#include "checker/search/spill.h"
#include "toy.h"

/* ---- counts ---------------------------------------------------------------------- */

/* 4 threads of 3 steps: 4^4 states and a final one; a transition for each thread that
 * has a step left in each state, the boot, and the end. */
static void expect_counts(const struct check_options *options)
{
    struct check_result result;
    run("threads=4 steps=3", options, &result);
    assert_int_equal(result.outcome, CHECK_OK);
    assert_int_equal(result.stats.states, 4 * 4 * 4 * 4 + 1);
    assert_int_equal(result.stats.transitions, 4 * 3 * 4 * 4 * 4 + 2);
    assert_int_equal(result.stats.final_states, 1);
    if (options->search == CHECK_AUTO)
        assert_int_equal(result.stats.depth, 13);
    check_result_fini(&result);
}

static void test_counts(void **state)
{
    for (unsigned workers = 1; workers <= 8; workers += 3) {
        struct check_options exact = with_workers(workers);
        exact.exact = true;
        expect_counts(&exact);
    }
    (void)state;
    for (unsigned workers = 1; workers <= 8; workers++) {
        struct check_options options = with_workers(workers);
        expect_counts(&options);
    }
    struct check_options dfs = {.search = CHECK_DFS, .workers = 1};
    expect_counts(&dfs);
}

/* Of states that are the same but for names, the one by the first choice is gone on from: so
 * the same is executed, and counted, whatever is told ahead. */
static void test_what_is_told_changes_no_count(void **state)
{
    (void)state;
    struct check_options options = with_workers(1);
    struct check_result told, untold;
    run("symmetric threads=4 steps=3", &options, &told);
    run("symmetric threads=4 steps=3 untold", &options, &untold);
    assert_int_equal(told.outcome, CHECK_OK);
    assert_int_equal(told.stats.states, 4 * 5 * 6 * 7 / 24 + 1);
    assert_int_equal(told.stats.states, untold.stats.states);
    assert_int_equal(told.stats.transitions, untold.stats.transitions);
    assert_int_equal(told.stats.instructions, untold.stats.instructions);
    check_result_fini(&told);
    check_result_fini(&untold);
}

/* Chunks of several workers: not all are full, but all of them are all of the level's states.
 */
static void test_chunks_of_so_many_states(void **state)
{
    (void)state;
    struct search_level level = {.n = 3, .full = 10, .states = 12};
    assert_int_equal(portfolio_chunks(&level, 0), 0);
    assert_int_equal(portfolio_chunks(&level, 1), 0);
    assert_int_equal(portfolio_chunks(&level, 11), 1);
    assert_int_equal(portfolio_chunks(&level, 12), 3);
    assert_int_equal(portfolio_chunks(&level, 1000), 3);
}

/* Each start value is a state of its own, and no transition leads to another. */
static void test_choices_of_the_boot(void **state)
{
    (void)state;
    struct check_options options = with_workers(2);
    struct check_result result;
    run("boot=5", &options, &result);
    assert_int_equal(result.outcome, CHECK_OK);
    assert_int_equal(result.stats.states, 5 * (3 * 3 + 1));
    assert_int_equal(result.stats.final_states, 5);
    check_result_fini(&result);
}

/* Choices within a transition: the third is cancelled, the first two are the same. */
static void test_nested_choices_and_cancelled_ones(void **state)
{
    (void)state;
    struct check_options options = with_workers(2);
    struct check_result result;
    run("assume", &options, &result);
    assert_int_equal(result.outcome, CHECK_OK);
    assert_int_equal(result.stats.states, 3 * 3 + 1);
    assert_int_equal(result.stats.transitions, 2 * (2 * 2 * 3) + 2);
    check_result_fini(&result);
}

static void test_what_makes_it_begin_again(void **state)
{
    (void)state;
    struct check_options options = with_workers(3);
    struct check_result result;
    run("address", &options, &result);
    assert_int_equal(result.outcome, CHECK_OK);
    assert_true(result.broken == 1u << VM_ASSUMES_ADDRESSES && result.machine.without_forks);
    assert_false(result.machine.heap_symmetry);
    assert_int_equal(result.stats.states, 3 * 3 + 1);
    check_result_fini(&result);
    run("forks", &options, &result);
    assert_int_equal(result.outcome, CHECK_OK);
    assert_false(result.machine.without_forks);
    check_result_fini(&result);
}

/* ---- errors ---------------------------------------------------------------------- */

static void same_path(const struct check_path *a, const struct check_path *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        assert_int_equal(a->steps[i].hash, b->steps[i].hash);
        assert_int_equal(a->steps[i].n, b->steps[i].n);
        if (a->steps[i].n)
            assert_memory_equal(a->steps[i].choices, b->steps[i].choices,
                                a->steps[i].n * sizeof(int));
    }
}

/* A lost update: the boot, load and store of each step, and the check. */
static void test_error_is_the_same_for_all_workers(void **state)
{
    (void)state;
    struct check_result first, result;
    struct check_options options = with_workers(1);
    run("threads=3 steps=3 bug", &options, &first);
    assert_int_equal(first.outcome, CHECK_ERROR);
    assert_int_equal(first.path.n, 1 + 2 * 3 * 3 + 1);
    for (unsigned round = 0; round < 20; round++) {
        options = with_workers(1 + round % 8);
        run("threads=3 steps=3 bug", &options, &result);
        assert_int_equal(result.outcome, CHECK_ERROR);
        assert_int_equal(result.stats.states, first.stats.states);
        assert_int_equal(result.stats.transitions, first.stats.transitions);
        same_path(&result.path, &first.path);
        check_result_fini(&result);
    }
    check_result_fini(&first);
}

/* Each load can be given up, which leads back by two levels: the way is none that does so, as a
 * state's link is final once its level is over. */
static void test_way_among_cycles(void **state)
{
    (void)state;
    struct check_result first, result;
    for (unsigned workers = 1; workers <= 4; workers++) {
        struct check_options options = with_workers(workers);
        run("threads=3 steps=3 bug drop", &options, &result);
        assert_int_equal(result.outcome, CHECK_ERROR);
        assert_int_equal(result.path.n, 1 + 2 * 3 * 3 + 1);
        if (workers > 1) {
            same_path(&result.path, &first.path);
            check_result_fini(&result);
        } else {
            first = result;
        }
    }
    check_result_fini(&first);
}

static size_t replay(const char *args, const struct check_path *path, struct cex *cex)
{
    struct vm_program *program = toy(args);
    struct vm_options machine = {.heap_symmetry = true};
    size_t good = check_replay(program, &machine, path, cex_begin, cex_on_event, cex);
    vm_unload(program);
    return good;
}

static void test_replay(void **state)
{
    (void)state;
    struct check_result result;
    struct check_options options = {
        .search = CHECK_DFS, .workers = 1, .machine = {.heap_symmetry = true}};
    for (int i = 0; i < 2; i++) {
        run("threads=2 steps=2 bug assume", &options, &result);
        assert_int_equal(result.outcome, CHECK_ERROR);
        struct cex cex = {0};
        size_t n = result.path.n;
        assert_int_equal(replay("threads=2 steps=2 bug assume", &result.path, &cex), n);
        assert_true(cex.failed);
        assert_int_equal(cex.kind, VM_FAULT_ASSERT);
        cex_fini(&cex);
        /* another program, wrong choices, a path that is cut off */
        cex = (struct cex){0};
        assert_true(replay("threads=2 steps=2", &result.path, &cex) < n);
        cex_fini(&cex);
        cex = (struct cex){0};
        result.path.steps[2].choices[0] = 7;
        assert_int_equal(replay("threads=2 steps=2 bug assume", &result.path, &cex), 2);
        cex_fini(&cex);
        check_result_fini(&result);
        options = with_workers(4);
    }
}

/* Links that lead to any of many states: the way is found all the same, by each search and
 * any number of workers the same. */
static void test_way_among_states_that_are_alike(void **state)
{
    (void)state;
    static const char program[] = "threads=2 steps=2 bug alike";
    struct check_result first, result;
    struct check_options options = with_workers(1);
    run(program, &options, &first);
    assert_int_equal(first.outcome, CHECK_ERROR);
    for (unsigned workers = 1; workers <= 8; workers++) {
        options = with_workers(workers);
        run(program, &options, &result);
        assert_int_equal(result.outcome, CHECK_ERROR);
        same_path(&result.path, &first.path);
        struct cex cex = {0};
        assert_int_equal(replay(program, &result.path, &cex), result.path.n);
        cex_fini(&cex);
        check_result_fini(&result);
    }
    options = (struct check_options){
        .search = CHECK_DFS, .workers = 1, .machine = {.heap_symmetry = true}};
    run(program, &options, &result);
    assert_int_equal(result.outcome, CHECK_ERROR);
    check_result_fini(&result);
    check_result_fini(&first);
}

/* The steps of a path have their hashes whatever the states were kept as. */
static void test_replay_of_exact_states(void **state)
{
    (void)state;
    struct check_result result;
    struct check_options options = with_workers(3);
    options.exact = true;
    run("threads=2 steps=2 bug", &options, &result);
    assert_int_equal(result.outcome, CHECK_ERROR);
    struct cex cex = {0};
    assert_int_equal(replay("threads=2 steps=2 bug", &result.path, &cex), result.path.n);
    cex_fini(&cex);
    check_result_fini(&result);
}

static void test_classes(void **state)
{
    (void)state;
    assert_int_equal(check_exit_status(VM_FAULT_ASSERT), 10);
    assert_int_equal(check_exit_status(VM_FAULT_DEADLOCK), 11);
    assert_int_equal(check_exit_status(VM_FAULT_LEAK), 12);
    assert_int_equal(check_exit_status(VM_FAULT_RACE), 13);
    assert_int_equal(check_exit_status(VM_FAULT_ENDLESS), 14);
    assert_int_equal(check_exit_status(VM_FAULT_DIVISION), 15);
    assert_int_equal(check_exit_status(VM_FAULT_SYSCALL), CHECK_EXIT_REFUSED);
    assert_string_equal(check_class_name(VM_FAULT_RACE), "race");
}

/* ---- limits ---------------------------------------------------------------------- */

static void expect_limit(const struct check_options *options, enum check_limit limit,
                         struct check_result *result)
{
    run("threads=6 steps=12", options, result);
    assert_int_equal(result->outcome, CHECK_INCOMPLETE);
    assert_int_equal(result->limit, limit);
    check_result_fini(result);
}

static void test_limits(void **state)
{
    (void)state;
    struct check_result result;
    for (unsigned workers = 1; workers <= 4; workers += 3) {
        struct check_options options = with_workers(workers);
        options.max_states = 1000;
        expect_limit(&options, CHECK_LIMIT_STATES, &result);
        assert_int_equal(result.stats.states, 1000);
        options = with_workers(workers);
        options.max_depth = 3;
        expect_limit(&options, CHECK_LIMIT_DEPTH, &result);
        assert_int_equal(result.stats.depth, 3);
        assert_int_equal(result.stats.states, 1 + 6 + 21 + 56);
        options = with_workers(workers);
        options.max_seconds = 0.05;
        expect_limit(&options, CHECK_LIMIT_TIME, &result);
        options = with_workers(workers);
        options.max_bytes = 100000;
        expect_limit(&options, CHECK_LIMIT_MEMORY, &result);
        options.max_bytes = 1;
        expect_limit(&options, CHECK_LIMIT_MEMORY, &result);
    }
}

/* Open states that go through a file: the same counts, and the same way to an error. */
static void test_spilling(void **state)
{
    (void)state;
    struct spill spill;
    assert_true(spill_open(&spill, "/tmp"));
    atomic_store(&spill.on, true); /* there is no limit by which it could change */
    for (unsigned workers = 1; workers <= 5; workers += 2)
        for (int bug = 0; bug <= 1; bug++) {
            const char *program = bug ? "threads=3 steps=3 bug" : "threads=6 steps=4";
            struct check_options options = with_workers(workers);
            struct check_result plain, result;
            run(program, &options, &plain);
            options.spill = &spill;
            run(program, &options, &result);
            assert_true(result.stats.spilled_bytes > 0);
            assert_int_equal(result.outcome, plain.outcome);
            assert_int_equal(result.stats.states, plain.stats.states);
            assert_int_equal(result.stats.transitions, plain.stats.transitions);
            same_path(&result.path, &plain.path);
            check_result_fini(&result);
            check_result_fini(&plain);
        }
    spill_close(&spill);
}

/* What cannot be written stays where it is; what cannot be read is lost, and that is told. */
static void test_spilling_that_fails(void **state)
{
    (void)state;
    struct check_result result;
    struct check_options options = with_workers(2);
    int terminal = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    struct spill full = {.fd = open("/dev/full", O_RDWR), .folder = "full", .on = true};
    struct spill blind = {.fd = open("/dev/null", O_RDWR), .folder = "blind", .on = true};
    dup2(nowhere, STDERR_FILENO); /* the messages are expected */
    options.spill = &full;
    run("threads=6 steps=4", &options, &result);
    assert_int_equal(result.outcome, CHECK_OK);
    assert_int_equal(result.stats.states, 5 * 5 * 5 * 5 * 5 * 5 + 1);
    assert_int_equal(result.stats.spilled_bytes, 0);
    check_result_fini(&result);
    options.spill = &blind;
    run("threads=6 steps=4", &options, &result);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    close(nowhere);
    assert_int_equal(result.outcome, CHECK_INCOMPLETE);
    assert_int_equal(result.limit, CHECK_LIMIT_DISK);
    check_result_fini(&result);
    spill_close(&full);
    spill_close(&blind);
}

static void test_exact_limit_is_complete(void **state)
{
    (void)state;
    struct check_options options = with_workers(2);
    struct check_result result;
    options.max_states = 3 * 3 + 1;
    options.max_depth = 5; /* the end */
    run("", &options, &result);
    assert_int_equal(result.outcome, CHECK_OK);
    check_result_fini(&result);
}

static void interrupt(void *context, const struct check_progress *progress)
{
    if (progress->states > 100)
        atomic_store((_Atomic int *)context, 1);
}

static void test_interrupt(void **state)
{
    (void)state;
    _Atomic int flag = 0;
    struct check_result result;
    struct check_options options = with_workers(2);
    options.interrupted = &flag;
    options.watch = interrupt;
    options.watch_context = &flag;
    run("threads=6 steps=12", &options, &result);
    assert_int_equal(result.outcome, CHECK_INTERRUPTED);
    assert_true(result.stats.states > 100);
    check_result_fini(&result);
}

/* ---- traces ---------------------------------------------------------------------- */

static void fill_trace(struct trace *trace, const struct check_result *result)
{
    *trace = (struct trace){
        .machine = {.coalesce = true, .heap_symmetry = true},
        .hash = 0xfedcba9876543210,
        .path = result->path,
        .verdict = strdup("assertion failed: \"x\" (main at toy.c:11)"),
        .kind = VM_FAULT_ASSERT,
        .location = strdup("toy.c:11"),
    };
    strings_add(&trace->program.files, "toy.c");
    strings_add(&trace->program.compiler, "-DN=3");
    strings_add(&trace->program.arguments, "\xff");
    trace->program.check_overflow = true;
    trace->program.boot_options = VM_BOOT_LEAKS;
}

static void write_file(const char *file, const char *text)
{
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void test_trace_round_trip(void **state)
{
    (void)state;
    char file[] = "/tmp/divm-test-XXXXXX";
    close(mkstemp(file));
    struct check_result result;
    struct check_options options = with_workers(2);
    run("bug", &options, &result);
    struct trace trace, back = {0};
    fill_trace(&trace, &result);
    assert_null(trace_write(file, &trace));
    assert_null(trace_read(file, &back));
    same_path(&back.path, &result.path);
    assert_int_equal(back.hash, trace.hash);
    assert_true(back.machine.coalesce && back.machine.heap_symmetry);
    assert_false(back.machine.race_free || back.machine.private_objects);
    assert_true(back.program.check_overflow);
    assert_int_equal(back.program.boot_options, VM_BOOT_LEAKS);
    assert_string_equal(back.program.compiler.at[0], "-DN=3");
    assert_string_equal(back.program.entry, "main");
    assert_string_equal(back.verdict, trace.verdict);
    trace_fini(&back);
    trace_fini(&trace);
    unlink(file);
}

static void test_trace_that_is_none(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{}",
        "{\"divm_trace\": 1}",
        "{\"divm_trace\": 1, \"version\": \"0\"}",
        "{\"divm_trace\": 1, \"version\": \"" CHECK_VERSION "\"}",
        "{\"divm_trace\": 1, \"version\": \"" CHECK_VERSION "\", \"files\": [3]}",
    };
    char file[] = "/tmp/divm-test-XXXXXX";
    close(mkstemp(file));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct trace trace = {0};
        write_file(file, texts[i]);
        char *why = trace_read(file, &trace);
        assert_non_null(why);
        assert_null(strchr(why, '\n'));
        free(why);
        trace_fini(&trace);
    }
    unlink(file);
}

static void test_trace_that_cannot_be_written(void **state)
{
    (void)state;
    static const char *const files[] = {"/nowhere/at/all", "/dev/full"};
    for (size_t i = 0; i < 2; i++) {
        struct check_result none = {0};
        struct trace trace;
        fill_trace(&trace, &none);
        char *why = trace_write(files[i], &trace);
        assert_non_null(why);
        assert_non_null(strstr(why, files[i]));
        free(why);
        trace_fini(&trace);
    }
}

/* ---- reports --------------------------------------------------------------------- */

static char *text_report(const struct cex *cex, enum report_trace trace, int width)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct report report = {.out = out, .width = width, .trace = trace};
    report_error(&report, cex);
    fclose(out);
    return text;
}

static void expect_text(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in:\n%s", part, text);
}

static void test_report(void **state)
{
    (void)state;
    struct check_result result;
    struct check_options options = with_workers(2);
    run("steps=1 bug", &options, &result);
    struct cex cex = {0};
    assert_int_equal(replay("steps=1 bug", &result.path, &cex), result.path.n);
    char *headline = report_headline(&cex);
    assert_string_equal(headline, "assertion failed: counter is right (main at toy.c:11)");
    free(headline);
    for (int width = 20; width <= 120; width += 50) {
        char *text = text_report(&cex, REPORT_TABLE, width);
        expect_text(text, "thread 1 (main) failed");
        expect_text(text, "  wrong\n");
        expect_text(text, "load counter = 0");
        free(text);
    }
    char *list = text_report(&cex, REPORT_LIST, 80);
    expect_text(list, "thread 2 (work)  12: store counter = 1");
    free(list);
    json_t *root = report_json(&result, &options, &cex), *error;
    assert_string_equal(json_string_value(json_object_get(root, "verdict")), "error");
    assert_non_null(error = json_object_get(root, "error"));
    assert_string_equal(json_string_value(json_object_get(error, "class")), "assert");
    assert_int_equal(json_integer_value(json_object_get(root, "workers")), 2);
    json_decref(root);
    cex_fini(&cex);
    check_result_fini(&result);
}

/* ---- the command line ------------------------------------------------------------ */

static const struct cli_command verify = {"verify", "FILE...", "", VERIFY, NULL};

static bool parse(struct cli *cli, const char *line)
{
    char words[256], *rest = words, *argv[32];
    int argc = 0;
    snprintf(words, sizeof words, "%s", line);
    while ((argv[argc] = strsep(&rest, " ")))
        argc++;
    *cli = (struct cli){.command = &verify};
    return cli_parse(cli, argc, argv);
}

static void test_options(void **state)
{
    (void)state;
    struct cli cli;
    assert_true(parse(&cli, "-j 3 a.c --max-time=5m --max-memory 2G -DN=2 -D M -I. -O2 "
                            "--search=dfs --no-leaks --no-trace-file b.c -- -x y"));
    assert_int_equal(cli.value[OPT_WORKERS].number, 3);
    assert_int_equal(cli.value[OPT_MAX_TIME].number, 300);
    assert_int_equal(cli.value[OPT_MAX_MEMORY].number, 2000000000);
    assert_int_equal(cli.value[OPT_SEARCH].number, CHECK_DFS);
    assert_int_equal(cli.value[OPT_LEAKS].number, 0);
    assert_int_equal(cli.value[OPT_TRACE_FILE].number, 0);
    assert_int_equal(cli.program.files.n, 2);
    assert_int_equal(cli.program.arguments.n, 2);
    assert_string_equal(cli.program.arguments.at[0], "-x");
    static const char *const compiler[] = {"-DN=2", "-DM", "-I.", "-O2"};
    assert_int_equal(cli.program.compiler.n, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(cli.program.compiler.at[i], compiler[i]);
    cli_fini(&cli);
}

static void test_reductions(void **state)
{
    (void)state;
    struct cli cli;
    assert_true(parse(&cli, "a.c"));
    assert_true(cli_machine(&cli).coalesce && cli_machine(&cli).heap_symmetry);
    cli_fini(&cli);
    assert_true(parse(&cli, "a.c --reduction=none,coalesce --cache=no-memo,no-old"));
    assert_int_equal(cli_machine(&cli).left_out, VM_CACHE_TRANSITIONS | VM_CACHE_PRECONCURRENT);
    assert_true(cli.reduction[RED_COALESCE] && !cli.reduction[RED_DEAD]);
    cli_fini(&cli);
    assert_true(parse(&cli, "a.c --reduction=no-private"));
    assert_true(cli.reduction[RED_COALESCE] && !cli.reduction[RED_PRIVATE]);
    cli_fini(&cli);
    assert_true(parse(&cli, "a.c --no-reduction"));
    for (int i = 0; i < RED_COUNT; i++)
        assert_false(cli.reduction[i]);
    cli_fini(&cli);
    assert_true(parse(&cli, "a.c --races=allow"));
    assert_false(cli_machine(&cli).race_free || cli_machine(&cli).report_races);
    cli_fini(&cli);
}

static void test_bad_options(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "--worker=2",    "-Z",          "--max-time=soon", "--max-states=1.5",
        "--search=best", "--entry",     "--stats=yes",     "--reduction=magic",
        "--leaks=maybe", "--no-search", "-j -1",
    };
    struct cli cli;
    const char *taken = NULL;
    int terminal = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    assert_true(terminal >= 0 && nowhere >= 0);
    dup2(nowhere, STDERR_FILENO); /* the messages are expected */
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (parse(&cli, lines[i]))
            taken = lines[i];
        cli_fini(&cli);
    }
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    close(nowhere);
    if (taken)
        fail_msg("taken: %s", taken);
}

static void test_nearest(void **state)
{
    (void)state;
    const char *const names[] = {"verify", "replay", "run", "info"};
    assert_string_equal(check_nearest("verfy", names, 4), "verify");
    assert_string_equal(check_nearest("repaly", names, 4), "replay");
    assert_null(check_nearest("something", names, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_what_is_told_changes_no_count),
        cmocka_unit_test(test_chunks_of_so_many_states),
        cmocka_unit_test(test_choices_of_the_boot),
        cmocka_unit_test(test_nested_choices_and_cancelled_ones),
        cmocka_unit_test(test_what_makes_it_begin_again),
        cmocka_unit_test(test_error_is_the_same_for_all_workers),
        cmocka_unit_test(test_way_among_cycles),
        cmocka_unit_test(test_replay),
        cmocka_unit_test(test_replay_of_exact_states),
        cmocka_unit_test(test_way_among_states_that_are_alike),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_spilling),
        cmocka_unit_test(test_spilling_that_fails),
        cmocka_unit_test(test_exact_limit_is_complete),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_trace_round_trip),
        cmocka_unit_test(test_trace_that_is_none),
        cmocka_unit_test(test_trace_that_cannot_be_written),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
