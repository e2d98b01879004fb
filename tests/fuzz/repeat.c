/* repeat.c - divm probability of one program for many seeds, in one process.
 *
 * usage: repeat FROM TO ARGUMENT...: the arguments of divm probability; a JSON object for each
 * seed from FROM to TO. */
#include <stdio.h>
#include <stdlib.h>

#include "checker/cli/cli.h"
#include "checker/query/set.h"

const struct cli_command cli_commands[] = {
    {"probability", "FILE...", "", PROBABILITY, cli_probability},
    {0},
};

const struct cli_command *cli_command(unsigned bit)
{
    (void)bit;
    return cli_commands;
}

int main(int argc, char **argv)
{
    struct cli cli = {.command = cli_commands};
    int status;
    if (argc < 4 || !cli_parse(&cli, argc - 3, argv + 3))
        return EXIT_FAILURE;
    struct vm_program *program = cli_probability_load(&cli, &status);
    if (!program)
        return status;
    long to = strtol(argv[2], NULL, 10);
    for (long seed = strtol(argv[1], NULL, 10); seed <= to; seed++) {
        cli.value[OPT_SEED].number = (double)seed;
        status = cli_probability_of(&cli, program);
        if (status != 0 && status != 10)
            return status;
    }
    vm_unload(program);
    query_set_free(cli.queries);
    cli_fini(&cli);
    return EXIT_SUCCESS;
}
