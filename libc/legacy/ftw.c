/* ftw - musl's passes its callback to nftw as a function of another type. */
#include <ftw.h>

static _Thread_local int (*callback)(const char *, const struct stat *, int);

static int call(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)place;
    return callback(path, status, type);
}

int ftw(const char *path, int (*visit)(const char *, const struct stat *, int), int limit)
{
    int (*before)(const char *, const struct stat *, int) = callback;
    callback = visit;
    int result = nftw(path, call, limit, FTW_PHYS);
    callback = before;
    return result;
}
