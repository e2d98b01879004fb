// Result: correct.
// The less common calls on files and folders.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <libgen.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>

static char folder[] = "/tmp/divm-XXXXXX";
static int entries;

static int count(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)path, (void)status, (void)type, (void)where;
    entries++;
    return 0;
}

static void at_folder(int at)
{
    char text[10] = "", *path;
    printf("%d\n", mkdirat(at, "a", 0700));
    int fd = openat(at, "a/f", O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    printf("%d\n", fcntl(fd, F_GETFD));
    printf("%d %d\n", linkat(at, "a/f", at, "g", 0), renameat(at, "g", at, "a/h"));
    printf("%d %d\n", faccessat(at, "a/h", F_OK, 0), unlinkat(at, "a/h", 0));
    printf("%d %d\n", fchmod(fd, 0600), fchmodat(at, "a", 0711, 0));
    printf("%d %d %d\n", fsync(fd), fdatasync(fd), utime("a/f", NULL));
    printf("%d\n", dup3(fd, 60, O_CLOEXEC));
    printf("%d\n", (int)dprintf(60, "%s", "printed"));
    printf("%d\n", (int)pread(fd, text, 7, 0));
    puts(text);
    printf("%d\n", lockf(fd, F_TLOCK, 0));
    printf("%d %d\n", posix_fallocate(fd, 0, 0) != 0, truncate("a/f", 3));
    path = realpath("a/../a/./f", NULL);
    printf("%d %s\n", path != NULL, path ? basename(path) : "");
    free(path);
    struct pollfd list = {fd, POLLIN, 0};
    struct timespec none = {0, 0};
    printf("%d\n", ppoll(&list, 1, &none, NULL));
    close(60);
    close(fd);
    glob_t found;
    printf("%d", glob("*/?", 0, NULL, &found));
    printf(" %zu %s\n", found.gl_pathc, found.gl_pathv[0]);
    globfree(&found);
    printf("%d", nftw(".", count, 5, FTW_PHYS));
    printf(" %d\n", entries);
    unlink("a/f");
    printf("%d\n", unlinkat(at, "a", AT_REMOVEDIR));
}

static void streams(void)
{
    fpos_t place;
    int n;
    FILE *f = fdopen(open("w", O_CREAT | O_RDWR, 0600), "w+");
    fprintf(f, "12 34\n");
    fgetpos(f, &place);
    fprintf(f, "56\n");
    fsetpos(f, &place);
    printf("%d %d\n", fscanf(f, "%d", &n), n);
    printf("%d %d\n", fseeko(f, 0, SEEK_SET), (int)ftello(f));
    char *word = NULL;
    size_t size = 0;
    printf("%d %s\n", (int)getdelim(&word, &size, ' ', f), word);
    free(word);
    printf("%d\n", fileno(f) > 2);
    clearerr(f);
    fclose(f);
    f = fopen("w", "w+");
    printf("%d\n", fwprintf(f, L"%ls %d", L"wide", 5));
    rewind(f);
    wchar_t wide[10];
    printf("%d %d\n", fwscanf(f, L"%9ls %d", wide, &n), n);
    fclose(f);
    unlink("w");
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    int at = open(folder, O_RDONLY | O_DIRECTORY);
    printf("%d\n", fchdir(at));
    at_folder(at);
    streams();
    close(at);
    chdir("/");
    printf("%d\n", rmdir(folder));
    return 0;
}
