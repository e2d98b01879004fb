// Calls on files and folders beyond those that every program uses.
//
// Result: correct.
#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utime.h>

static int visited;

static int visit(const char *path, const struct stat *status, int type)
{
    (void)path, (void)status, (void)type;
    visited++;
    return 0;
}

static void folders(void)
{
    struct dirent entry, *found;
    char buffer[512];
    assert(mkdir("/tmp/d", 0755) == 0);
    assert(close(creat("/tmp/d/a", 0600)) == 0);
    DIR *folder = opendir("/tmp/d");
    assert(dirfd(folder) > 2 && telldir(folder) == 0);
    assert(readdir_r(folder, &entry, &found) == 0 && found == &entry);
    rewinddir(folder);
    assert(readdir(folder));
    long second = telldir(folder);
    assert(readdir(folder));
    seekdir(folder, second);
    assert(!strcmp(readdir(folder)->d_name, ".."));
    closedir(folder);
    struct dirent **list;
    int n = scandir("/tmp/d", &list, NULL, alphasort);
    assert(n == 3 &&
           versionsort((const struct dirent **)&list[0], (const struct dirent **)&list[1]) < 0);
    while (n--)
        free(list[n]);
    free(list);
    folder = fdopendir(open("/tmp/d", O_RDONLY | O_DIRECTORY));
    assert(folder && getdents(dirfd(folder), (struct dirent *)buffer, sizeof buffer) > 0);
    closedir(folder);
    assert(ftw("/tmp/d", visit, 4) == 0 && visited == 2);
}

static void status(void)
{
    struct stat s;
    struct utimbuf when = {0, 0};
    struct timeval times[2] = {{0}};
    struct timespec exact[2] = {{0}};
    int fd = open("/tmp/d/a", O_RDWR), folder = open("/tmp/d", O_RDONLY);
    assert(fstat(1, &s) == 0 && S_ISCHR(s.st_mode) && fstat(2, &s) == 0);
    assert(stat("/dev/null", &s) == 0 && S_ISCHR(s.st_mode));
    assert(fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && lstat("/tmp/d", &s) == 0);
    assert(fstatat(folder, "a", &s, 0) == 0);
    assert(fallocate(fd, 0, 0, 10) == 0 && fstat(fd, &s) == 0 && s.st_size == 10);
    assert(fchmod(fd, 0644) == 0 && fchmodat(folder, "a", 0600, 0) == 0);
    assert(lchmod("/tmp/d/a", 0600) == 0 && stat("/tmp/d/a", &s) == 0);
    assert((s.st_mode & 0777) == 0600);
    assert(utime("/tmp/d/a", &when) == 0 && utimes("/tmp/d/a", times) == 0);
    assert(futimes(fd, times) == 0 && lutimes("/tmp/d/a", times) == 0);
    assert(futimesat(folder, "a", times) == 0);
    assert(futimens(fd, exact) == 0 && utimensat(folder, "a", exact, 0) == 0);
    assert(eaccess("/tmp/d/a", R_OK) == 0 && euidaccess("/tmp/none", R_OK) == -1);
    assert(readlink("/tmp/d/a", (char[8]){0}, 8) == -1 && errno == EINVAL);
    assert(readlinkat(folder, "a", (char[8]){0}, 8) == -1 && errno == EINVAL);
    assert(pathconf("/tmp", _PC_NAME_MAX) == NAME_MAX &&
           fpathconf(fd, _PC_PIPE_BUF) == PIPE_BUF);
    assert(fsync(fd) == 0 && fdatasync(fd) == 0);
    close(folder);
    close(fd);
}

static void descriptors(void)
{
    struct iovec parts[2] = {{"ab", 2}, {"c", 1}};
    char text[4] = "";
    eventfd_t value;
    fd_set set;
    struct timespec limit = {0, 0};
    int fd = open("/tmp/d/b", O_RDWR | O_CREAT, 0600), event = eventfd(3, 0), size = 0;
    assert(writev(fd, parts, 2) == 3 && lseek(fd, 0, SEEK_SET) == 0);
    assert(read(fd, text, 3) == 3 && !strcmp(text, "abc"));
    assert(eventfd_write(event, 4) == 0 && eventfd_read(event, &value) == 0 && value == 7);
    FD_ZERO(&set);
    FD_SET(fd, &set);
    assert(pselect(fd + 1, &set, NULL, NULL, &limit, NULL) == 1 && FD_ISSET(fd, &set));
    assert(lseek(fd, 1, SEEK_SET) == 1 && ioctl(fd, FIONREAD, &size) == 0 && size == 2);
    assert(ioctl(fd, TIOCGWINSZ, &size) == -1 && errno == ENOTTY);
    assert(!isatty(fd) && !ttyname(fd) && ttyname_r(fd, text, 4) != 0);
    assert(posix_close(event, 0) == 0);
    close(fd);
}

static void memory(void)
{
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page[0] = 'x';
    assert(mlock(page, 4096) == 0 && munlock(page, 4096) == 0);
    assert(mlockall(MCL_CURRENT) == 0 && munlockall() == 0);
    assert(madvise(page, 4096, MADV_NORMAL) == 0 && posix_madvise(page, 4096, 0) == 0);
    assert(msync(page, 4096, MS_SYNC) == 0 && mprotect(page, 4096, PROT_READ) == 0);
    page = mremap(page, 4096, 8192, MREMAP_MAYMOVE);
    assert(page[0] == 'x' && munmap(page, 8192) == 0);
    int fd = shm_open("/name", O_RDWR | O_CREAT, 0600);
    assert(fd >= 0 && close(fd) == 0 && shm_unlink("/name") == 0);
    char *local = alloca(4);
    memset(local, 0, 4);
    assert(local[3] == 0);
}

static void names(void)
{
    char path[] = "/tmp/nXXXXXX", with_end[] = "/tmp/nXXXXXX.c", again[] = "/tmp/nXXXXXX.c";
    char name[L_tmpnam], other[] = "/tmp/nXXXXXX";
    int a = mkostemp(path, 0), b = mkstemps(with_end, 2), c = mkostemps(again, 2, 0);
    assert(a > 2 && b > 2 && c > 2 && close(a) + close(b) + close(c) == 0);
    assert(mktemp(other) && tmpnam(name));
    char *made = tempnam("/tmp", "x"), *folder = get_current_dir_name();
    assert(made && !strcmp(folder, "/"));
    free(made);
    free(folder);
}

int main(void)
{
    folders();
    status();
    descriptors();
    memory();
    names();
    return 0;
}
