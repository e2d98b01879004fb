/* cli_info.c - divm info: versions, the runtime, what it can do. */
#include <stdio.h>
#include <stdlib.h>

#include "checker/build/compile.h"
#include "checker/cli/cli.h"
#include "checker/search/check.h"
#include "checker/search/processors.h"
#include "store/store.h"

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
#include "checker/build/frameworks.def"
    putchar('\n');
    printf("searches      auto, bfs (parallel), dfs, dpor\n");
    printf("reductions   ");
#define REDUCTION(id, name, help) printf(" %s", name);
#include "reductions.def"
    printf("\ncaches       ");
#define CACHE(id, name, help) printf(" %s", name);
#include "caches.def"
    printf("\nstore         fingerprints of %d bits\n", STORE_FINGERPRINT_BITS);
    printf("cores         %u\n", processors_count());
    free(runtime);
    return runtime ? CHECK_EXIT_OK : CHECK_EXIT_REFUSED;
}
