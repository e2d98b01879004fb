/* main.c - the command divm. */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <jemalloc/jemalloc.h>

#include "cli.h"

/* Objects of states are all over memory: with pages of 2 MB their addresses are found sooner.
 */
const char *malloc_conf = "thp:always,metadata_thp:always";

const struct cli_command cli_commands[] = {
    {"verify", "FILE... [-- ARGUMENTS]", "Explores every interleaving of a program", VERIFY,
     cli_verify},
    {"replay", "TRACE", "Replays the error of a trace", REPLAY, cli_replay},
    {"run", "FILE... [-- ARGUMENTS]", "Runs a program once, under one schedule", RUN, cli_run},
    {"cc", "ARGUMENT...",
     "Clang-compatible C compiler whose output can be verified: CC=\"divm cc\" ./configure", CC,
     cli_cc},
    {"c++", "ARGUMENT...", "The same for C++: CXX=\"divm c++\"", CXX, cli_cc},
    {"info", "", "Prints versions, the runtime's folder and features", INFO, cli_info},
    {0},
};

/* In place of the C library's: a fault of ours is no signal, but a status of its own and one
 * line. What was told before it stays. */
void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    fprintf(stderr, "divm: internal error: %s:%u: %s: %s does not hold; please report it\n",
            file, line, function, assertion);
    fflush(stdout);
    _exit(CHECK_EXIT_INTERNAL);
}

#ifndef DIVM_DEBUG /* sanitizers have an address space of their own */
/* Libraries crash if they cannot even begin: before them, where nothing but system calls can be
 * relied on, divm looks whether its address space (ulimit -v) has room for that. */
static void look_for_room(void)
{
    enum { LEAST = 8 << 20 };
    static const char none[] = "divm: incomplete: out of memory\n";
    struct rlimit limit;
    char text[32] = "";
    unsigned long pages = 0;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    for (ssize_t i = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++)
        pages = pages * 10 + (unsigned long)(text[i] - '0');
    if (fd >= 0)
        close(fd);
    if (getrlimit(RLIMIT_AS, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY ||
        pages * (unsigned long)getpagesize() + LEAST <= limit.rlim_cur)
        return;
    n = write(STDERR_FILENO, none, sizeof none - 1);
    _exit(CHECK_EXIT_INCOMPLETE);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const first)(void) = look_for_room;
#endif

static void usage(FILE *out)
{
    fputs("usage: divm COMMAND [options] FILE...\n\n"
          "Explores every interleaving of a multithreaded test and shows the shortest one that "
          "fails.\n\n",
          out);
    for (const struct cli_command *command = cli_commands; command->name; command++)
        fprintf(out, "  divm %-6s  %-24s  %s\n", command->name, command->operands,
                command->summary);
    fputs("\ndivm help COMMAND lists the options of a command.\n", out);
}

const struct cli_command *cli_command(unsigned bit)
{
    const struct cli_command *command = cli_commands;
    while (command->bit != bit)
        command++;
    return command;
}

static const struct cli_command *find_command(const char *name)
{
    const char *names[sizeof cli_commands / sizeof *cli_commands];
    size_t n = 0;
    for (const struct cli_command *command = cli_commands; command->name; command++) {
        names[n++] = command->name;
        if (!strcmp(command->name, name))
            return command;
    }
    const char *nearest = cli_nearest(name, names, n);
    if (nearest)
        fprintf(stderr, "divm: unknown command %s; did you mean %s?\n", name, nearest);
    else
        fprintf(stderr, "divm: unknown command %s; see divm --help\n", name);
    return NULL;
}

static int help(int argc, char **argv)
{
    const struct cli_command *command = argc > 2 ? find_command(argv[2]) : NULL;
    if (argc > 2 && !command)
        return CHECK_EXIT_USAGE;
    if (command)
        cli_help(command);
    else
        usage(stdout);
    return CHECK_EXIT_OK;
}

/* Its options are clang's. */
static int run_compiler(struct cli *cli, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        strings_add(&cli->program.files, argv[i]);
    cli_catch_signals();
    int status = cli_cc(cli);
    cli_fini(cli);
    return status;
}

/* What "divm-cc" stands for, when that is how the command is called. */
static const struct cli_command *command_of(const char *path)
{
    const char *name = report_basename(path);
    bool compiler = !strcmp(name, "divm-cc") || !strcmp(name, "divm-c++");
    return compiler ? find_command(name + strlen("divm-")) : NULL;
}

static int run_command(const struct cli_command *command, int argc, char **argv)
{
    struct cli cli = {.command = command};
    int status = CHECK_EXIT_USAGE;
    if (command->bit & (CC | CXX))
        return run_compiler(&cli, argc, argv);
    if (!cli_parse(&cli, argc, argv))
        goto out;
    if (cli.value[OPT_HELP].number != 0) {
        cli_help(command);
        status = CHECK_EXIT_OK;
        goto out;
    }
    if (*command->operands && !cli.program.files.n) {
        fprintf(stderr, "divm: %s: no file given; see divm %s --help\n", command->name,
                command->name);
        goto out;
    }
    cli_catch_signals();
    status = command->run(&cli);
out:
    if (command->bit != RUN)
        status = cli_exit(&cli, status);
    cli_fini(&cli);
    return status;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    int status;
    const struct cli_command *compiler = argc ? command_of(argv[0]) : NULL;
    if (compiler)
        return run_command(compiler, argc - 1, argv + 1);
    if (argc < 2) {
        usage(stderr);
        return CHECK_EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("divm %s\n", CHECK_VERSION);
        status = CHECK_EXIT_OK;
    } else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
               !strcmp(argv[1], "help")) {
        status = help(argc, argv);
    } else {
        const struct cli_command *command = find_command(argv[1]);
        status = command ? run_command(command, argc - 2, argv + 2) : CHECK_EXIT_USAGE;
    }
    if (fflush(stdout) != 0) {
        perror("divm: standard output");
        return CHECK_EXIT_INTERNAL;
    }
    return status;
}
