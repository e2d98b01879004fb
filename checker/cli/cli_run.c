/* cli_run.c - divm run: one execution, as if the program were run.
 *
 * The scheduler's choices rotate, so that every thread comes on and loops that wait
 * for another end; all other choices are the first alternative. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/build/compile.h"
#include "checker/build/framework.h"
#include "checker/build/limits.h"
#include "checker/cli/cli.h"
#include "checker/cli/cli_run.h"
#include "checker/memory.h"
#include "checker/report/cex.h"
#include "checker/report/notes.h"
#include "checker/report/report.h"
#include "checker/search/apart.h"
#include "checker/search/check.h"
#include "checker/search/guard.h"
#include "vm/vm.h"

struct run {
    FILE *output;   /* where standard output goes to, or NULL for ours */
    struct cex cex; /* of the error only */
    int status;     /* the program's */
    unsigned turn;
};

static void write_all(int fd, const char *data, size_t len)
{
    while (len) {
        ssize_t n = write(fd, data, len);
        if (n < 0 && errno != EINTR)
            return;
        if (n > 0) {
            data += n;
            len -= (size_t)n;
        }
    }
}

static void on_event(void *context, const struct vm_event *event)
{
    struct run *run = context;
    if (event->kind == VM_EVENT_ACTION)
        return;
    if (event->kind == VM_EVENT_TRACE) {
        switch ((enum vm_trace_kind)(event->trace & 0xff)) {
        case VM_TRACE_OUTPUT:
            if (!run->output)
                write_all(event->trace >> 8 == 2 ? 2 : 1, event->data, event->len);
            else if (event->trace >> 8 != 2)
                fwrite(event->data, 1, event->len, run->output);
            return;
        case VM_TRACE_EXIT: run->status = event->trace >> 8; return;
        case VM_TRACE_RUN:
            if (event->len >= sizeof(struct vm_trace_run))
                run->cex.tid = ((const struct vm_trace_run *)event->data)->tid;
            return;
        case VM_TRACE_NOTE:
            fprintf(stderr, "divm: note: %.*s\n", (int)event->len, (const char *)event->data);
            return;
        case VM_TRACE_THREAD:
        case VM_TRACE_HELD:
        case VM_TRACE_ERROR:
        case VM_TRACE_OBJECT:
        case VM_TRACE_NAME:
        case VM_TRACE_SIGNAL:
        case VM_TRACE_CHOICE:
        case VM_TRACE_THROW: break;
        }
    }
    cex_on_event(&run->cex, event);
}

/* Runs one transition; false if the machine was halted. */
static bool run_transition(struct vm *vm, struct run *run)
{
    enum vm_stop stop;
    while ((stop = vm_run(vm)) == VM_STOP_CHOOSE) {
        struct vm_choice choice = vm_pending(vm);
        vm_choose(vm, choice.scheduling ? (int)(run->turn++ % (unsigned)choice.n) : 0);
    }
    return stop == VM_STOP_END;
}

static int finish(const struct cli *cli, const struct run *run, unsigned flags)
{
    if (flags & VM_FLAG_ERROR) {
        struct report report = cli_report(cli, stderr);
        report_error(&report, &run->cex);
        return check_exit_status(run->cex.kind);
    }
    if (flags & VM_FLAG_CANCEL) {
        fputs("divm: the run was ended by an assumption that does not hold\n", stderr);
        return CHECK_EXIT_INCOMPLETE;
    }
    return run->status;
}

/* Writes the profile, also after an error; false after a message. */
static bool write_profile(const struct vm *vm, const char *name)
{
    if (!name)
        return true;
    FILE *out = fopen(name, "w");
    if (out)
        vm_write_profile(vm, out);
    if (out && fclose(out) == 0)
        return true;
    fprintf(stderr, "divm: %s: %s\n", name, strerror(errno));
    return false;
}

enum { OVER = VM_FLAG_ERROR | VM_FLAG_CANCEL | VM_FLAG_END };

static void note_end(struct guard *guard)
{
    enum check_limit limit;
    bool halted = guard_halted(guard, &limit);
    build_limits.end = !halted || limit == CHECK_LIMIT_MEMORY ? APART_MEMORY
                       : limit == CHECK_LIMIT_TIME            ? APART_TIME
                                                              : APART_INTERRUPTED;
}

/* Executes the program.  Returns the flags that it ended with, 0 if a limit or an interrupt
 * ended it (build_limits.end), or after a message. */
static unsigned execute(const struct cli *cli, const struct vm_program *program,
                        struct run *run)
{
    struct vm_options options = cli_machine(cli);
    struct guard guard;
    guard_begin(&guard, &build_limits.options, build_limits.options.deadline);
    options.halt = &guard.halt;
    struct vm *vm = check_memory(vm_open(program, &options));
    run->cex.accesses = cli_wants_accesses(cli);
    cex_begin(&run->cex, vm);
    vm_listen(vm, on_event, run);
    vm_boot(vm);
    bool goes_on = run_transition(vm, run);
    while (goes_on && !(vm_flags(vm) & OVER) &&
           !atomic_load_explicit(&guard.halt, memory_order_relaxed)) {
        vm_start(vm);
        goes_on = run_transition(vm, run);
    }
    unsigned flags = goes_on ? vm_flags(vm) & OVER : 0;
    guard_end(&guard);
    if (!flags)
        note_end(&guard);
    vm_listen(vm, NULL, NULL);
    if (!write_profile(vm, cli->value[OPT_PROFILE].text))
        flags = 0;
    vm_close(vm);
    return flags;
}

char *run_output(const struct cli *cli, const struct vm_program *program)
{
    char *text = NULL;
    size_t size;
    struct run run = {.output = check_text_stream(&text, &size)};
    unsigned flags = execute(cli, program, &run);
    fclose(run.output);
    if (flags != VM_FLAG_END) {
        if (flags & VM_FLAG_ERROR)
            finish(cli, &run, flags);
        free(text);
        text = NULL;
    }
    cex_fini(&run.cex);
    return text;
}

static void print_weak(const struct vm_program *program)
{
    const struct vm_weak *weak = vm_program_weak(program);
    char *text = weak ? notes_weak(weak, "run under sequential consistency only") : NULL;
    if (text)
        fprintf(stderr, "divm: note: %s\n", text);
    free(text);
}

int cli_run(struct cli *cli)
{
    if (!cli->value[OPT_LEAKS].given)
        cli->value[OPT_LEAKS].number = 0;
    cli_program_options(cli);
    cli->program.boot_options |= VM_BOOT_RUN;
    cli->program.profile = cli->value[OPT_PROFILE].text != NULL;
    enum framework framework;
    struct vm_program *program =
        compile_and_load(&cli->program, cli->value[OPT_VERBOSE].number != 0, &framework);
    if (!program && build_limits.end != APART_DONE)
        cli_leave(cli_unloaded());
    if (!program)
        return cli_unloaded();
    if (cli->value[OPT_VERBOSE].number) {
        file_options_print(&cli->file_options);
        print_weak(program);
    }
    struct run run = {0};
    unsigned flags = execute(cli, program, &run);
    int status = flags                            ? finish(cli, &run, flags)
                 : build_limits.end != APART_DONE ? cli_unloaded()
                                                  : CHECK_EXIT_USAGE;
    cex_fini(&run.cex);
    vm_unload(program);
    return status;
}
