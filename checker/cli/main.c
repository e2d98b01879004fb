/* main.c - the command divm. */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <jemalloc/jemalloc.h>

#include "checker/cli/cli.h"
#include "checker/memory.h"
#include "checker/nearest.h"
#include "checker/search/check.h"

/* Objects of states are all over memory: with pages of 2 MB their addresses are found sooner.
 * The allocator's own first blocks have small ones, as a small verification uses little of
 * them. */
const char *malloc_conf = "thp:always,metadata_thp:auto";

const struct cli_command cli_commands[] = {
#define COMMAND(id, name, operands, summary, function) {name, operands, summary, id, function},
#include "commands.def"
    {0},
};

/* Replaces the C library's: a fault of ours is no signal, but a status of its own and one line.
 * What was told before it stays. */
void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    fprintf(stderr, "divm: internal error: %s:%u: %s: %s does not hold; please report it\n",
            file, line, function, assertion);
    fflush(stdout);
    _exit(CHECK_EXIT_INTERNAL);
}

#ifndef DIVM_DEBUG /* sanitizers have an address space of their own */
/* Checks that the address space (ulimit -v) has room.  Libraries crash if they cannot even
 * begin: so this comes before them, where nothing but system calls can be relied on. */
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

const struct cli_command *cli_command(unsigned bit)
{
    const struct cli_command *command = cli_commands;
    while (command->bit != bit)
        command++;
    return command;
}

static const struct cli_command *named(const char *name)
{
    const struct cli_command *command = cli_commands;
    while (command->name && strcmp(command->name, name) != 0)
        command++;
    return command->name ? command : NULL;
}

/* Prints what is done with files, if a command is the name of one. */
static bool print_file_hint(const char *name)
{
    const char *dot = strrchr(name, '.');
    bool trace = dot && !strcmp(dot, ".trace");
    if (access(name, F_OK) != 0)
        return false;
    fprintf(stderr, "divm: %s is a file and no command; did you mean divm %s %s?\n", name,
            trace ? "replay" : "verify", name);
    return true;
}

static void unknown_command(const char *name, bool topics)
{
    const char *names[sizeof cli_commands / sizeof *cli_commands + 8];
    size_t n = 0;
    if (!topics && print_file_hint(name))
        return;
    for (const struct cli_command *command = cli_commands; command->name; command++)
        names[n++] = command->name;
    for (const char *const *topic = help_topics; topics && *topic; topic++)
        names[n++] = *topic;
    const char *nearest = strpbrk(name, "./") ? NULL : check_nearest(name, names, n);
    if (nearest)
        fprintf(stderr, "divm: unknown command %s; did you mean %s?\n", name, nearest);
    else
        fprintf(stderr, "divm: unknown command %s; see divm --help\n", name);
}

static int help(int argc, char **argv)
{
    const struct cli_command *command = argc > 2 ? named(argv[2]) : NULL;
    if (command) {
        help_command(command);
    } else if (argc <= 2) {
        help_all(stdout);
    } else if (!help_topic(argv[2])) {
        unknown_command(argv[2], true);
        return CHECK_EXIT_USAGE;
    }
    return CHECK_EXIT_OK;
}

/* Runs a compiler command, whose options are clang's. */
static int run_compiler(struct cli *cli, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        strings_add(&cli->program.files, argv[i]);
    cli_catch_signals();
    int status = cli_cc(cli);
    cli_fini(cli);
    return status;
}

/* Returns the command that "divm-cc" stands for, if the program is called so. */
static const struct cli_command *command_of(const char *path)
{
    const char *name = check_basename(path);
    bool compiler = !strcmp(name, "divm-cc") || !strcmp(name, "divm-c++");
    return compiler ? named(name + strlen("divm-")) : NULL;
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
        help_command(command);
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

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words;
}

/* Runs the command; returns the exit status. */
static int run_words(int argc, char **argv)
{
    static const char *const versions[] = {"--version", "-V", "version", NULL};
    static const char *const helps[] = {"--help", "-h", "help", NULL};
    const struct cli_command *command = named(argv[1]);
    if (command)
        return run_command(command, argc - 2, argv + 2);
    if (is_one_of(argv[1], helps))
        return help(argc, argv);
    if (!is_one_of(argv[1], versions)) {
        unknown_command(argv[1], false);
        return CHECK_EXIT_USAGE;
    }
    printf("divm %s\n", CHECK_VERSION);
    return CHECK_EXIT_OK;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    const struct cli_command *compiler = argc ? command_of(argv[0]) : NULL;
    if (compiler)
        return run_command(compiler, argc - 1, argv + 1);
    if (argc < 2) {
        help_all(stderr);
        return CHECK_EXIT_USAGE;
    }
    int status = run_words(argc, argv);
    if (fflush(stdout) != 0) {
        perror("divm: standard output");
        return CHECK_EXIT_INTERNAL;
    }
    return status;
}
