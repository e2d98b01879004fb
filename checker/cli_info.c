/* cli_info.c - divm info: versions, the runtime, what it can do. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../store/store.h"
#include "cli.h"

int cli_info(struct cli *cli)
{
    (void)cli;
    char *runtime = compile_runtime();
    printf("divm %s\n", CHECK_VERSION);
    printf("runtime       %s\n", runtime ? runtime : "missing");
    printf("compiler      %s\n", compile_clang());
    printf("languages     C, C++, LLVM assembly, bitcode\n");
    printf("frameworks   ");
#define FRAMEWORK(id, name, marker) printf(" %s", name);
#include "frameworks.def"
    putchar('\n');
    printf("searches      bfs (parallel), dfs\n");
    printf("reductions   ");
#define REDUCTION(id, name, help) printf(" %s", name);
#include "reductions.def"
    printf("\nstore         fingerprints of %d bits\n", STORE_FINGERPRINT_BITS);
    printf("cores         %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
    free(runtime);
    return runtime ? CHECK_EXIT_OK : CHECK_EXIT_REFUSED;
}
