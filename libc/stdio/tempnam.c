/* tempnam - musl's gives __randname what was never written; ours goes on from X's. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

char *__randname(char *template);

char *tempnam(const char *folder, const char *prefix)
{
    char path[PATH_MAX];
    struct stat status;
    int length = snprintf(path, sizeof path, "%s/%s_XXXXXX", folder ? folder : P_tmpdir,
                          prefix ? prefix : "temp");
    if (length >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    for (int k = 0; k < TMP_MAX; k++) {
        __randname(path + length - 6);
        if (lstat(path, &status) != 0)
            return errno == ENOENT ? strdup(path) : NULL;
    }
    return NULL;
}
