/* result.c - frees results of searches. */
#include <stdlib.h>

#include "checker/search/check.h"
#include "checker/search/unexplored.h"

void check_path_fini(struct check_path *path)
{
    for (size_t i = 0; i < path->n; i++)
        free(path->steps[i].choices);
    free(path->steps);
    free(path->endless.text);
    *path = (struct check_path){0};
}

void check_result_fini(struct check_result *result)
{
    check_path_fini(&result->path);
    unexplored_fini(&result->unexplored);
    for (size_t i = 0; i < result->nmore; i++)
        check_path_fini(&result->more[i]);
    free(result->more);
    result->more = NULL;
    result->nmore = 0;
}
