/* cli_run.c - divm run: one execution, as if the program were run.
 *
 * The scheduler's choices rotate, so that every thread comes on and loops that wait
 * for another end; all other choices are the first alternative. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

struct run {
    struct story story; /* of the error only */
    int status;         /* the program's */
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

static void hear(void *context, const struct vm_event *event)
{
    struct run *run = context;
    if (event->kind == VM_EVENT_ACTION)
        return;
    if (event->kind == VM_EVENT_TRACE) {
        switch ((enum vm_trace_kind)(event->trace & 0xff)) {
        case VM_TRACE_OUTPUT:
            write_all(event->trace >> 8 == 2 ? 2 : 1, event->data, event->len);
            return;
        case VM_TRACE_EXIT: run->status = event->trace >> 8; return;
        case VM_TRACE_RUN:
            if (event->len >= sizeof run->story.tid)
                memcpy(&run->story.tid, event->data, sizeof run->story.tid);
            return;
        case VM_TRACE_NOTE:
            fprintf(stderr, "divm: note: %.*s\n", (int)event->len, (const char *)event->data);
            return;
        case VM_TRACE_THREAD:
        case VM_TRACE_HELD:
        case VM_TRACE_ERROR:
        case VM_TRACE_OBJECT: break;
        }
    }
    story_hear(&run->story, event);
}

static void run_transition(struct vm *vm, struct run *run)
{
    while (vm_run(vm) == VM_STOP_CHOOSE) {
        struct vm_choice choice = vm_pending(vm);
        vm_choose(vm, choice.scheduling ? (int)(run->turn++ % (unsigned)choice.n) : 0);
    }
}

static int finish(const struct cli *cli, const struct run *run, unsigned flags)
{
    if (flags & VM_FLAG_ERROR) {
        struct report report = cli_report(cli, stderr);
        report_error(&report, &run->story);
        return check_exit_status(run->story.kind);
    }
    if (flags & VM_FLAG_CANCEL) {
        fputs("divm: the run was ended by an assumption that does not hold\n", stderr);
        return CHECK_EXIT_INCOMPLETE;
    }
    return run->status;
}

/* Also after an error; false after a message. */
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

static int execute(const struct cli *cli, const struct vm_program *program)
{
    struct vm_options options = cli_machine(cli);
    struct vm *vm = vm_open(program, &options);
    if (!vm) {
        fputs("divm: out of memory\n", stderr);
        return CHECK_EXIT_INCOMPLETE;
    }
    struct run run = {0};
    story_begin(&run.story, vm);
    vm_listen(vm, hear, &run);
    vm_boot(vm);
    run_transition(vm, &run);
    unsigned over = VM_FLAG_ERROR | VM_FLAG_CANCEL | VM_FLAG_END;
    while (!(vm_flags(vm) & over) && !cli_interrupted) {
        vm_start(vm);
        run_transition(vm, &run);
    }
    int status = CHECK_EXIT_INTERRUPT;
    if (vm_flags(vm) & over)
        status = finish(cli, &run, vm_flags(vm));
    vm_listen(vm, NULL, NULL);
    if (!write_profile(vm, cli->value[OPT_PROFILE].text))
        status = CHECK_EXIT_USAGE;
    vm_close(vm);
    story_fini(&run.story);
    return status;
}

int cli_run(struct cli *cli)
{
    if (!cli->value[OPT_LEAKS].given)
        cli->value[OPT_LEAKS].number = 0;
    cli_program_options(cli);
    cli->program.boot_options |= VM_BOOT_RUN;
    cli->program.profile = cli->value[OPT_PROFILE].text != NULL;
    struct vm_program *program =
        compile_and_load(&cli->program, cli->value[OPT_VERBOSE].number != 0);
    if (!program)
        return cli_interrupted ? CHECK_EXIT_INTERRUPT : CHECK_EXIT_REFUSED;
    const char *weak = vm_program_weak_atomic(program);
    if (weak && cli->value[OPT_VERBOSE].number)
        fprintf(stderr,
                "divm: note: %s: an atomic weaker than seq_cst: run under sequential "
                "consistency only\n",
                weak);
    int status = execute(cli, program);
    vm_unload(program);
    return status;
}
