/* places.c - see places.h. */
#include "places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/memory.h"

char *places_here(void)
{
    char folder[PATH_MAX];
    return check_strdup(getcwd(folder, sizeof folder) ? folder : "");
}

char *places_name(const char *file)
{
    char *here = places_here();
    size_t n = strlen(here);
    bool below = n > 1 && !strncmp(file, here, n) && file[n] == '/';
    free(here);
    return check_strdup(below ? file + n + 1 : file);
}
