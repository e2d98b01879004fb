// Result: correct.
// Permissions of files and folders: the mask, who may open, search, make and remove what, and
// what the owner can change.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

static char folder[] = "/tmp/divm-XXXXXX";

static void mode(const char *path)
{
    struct stat s = {0};
    printf("%s: %d", path, lstat(path, &s));
    printf(" %o %d %d\n", (unsigned)s.st_mode, s.st_uid == getuid(), s.st_gid == getgid());
}

static void masks(void)
{
    SAY(umask(0));
    SAY(umask(07777));
    SAY(umask(027));
    SAY(close(open("f", O_CREAT | O_RDWR, 0666)));
    SAY(close(open("g", O_CREAT | O_RDWR, 01777)));
    SAY(close(creat("h", 0)));
    SAY(mkdir("d", 0777));
    SAY(mkdir("sticky", 01777));
    SAY(symlink("f", "l"));
    SAY(mkfifo("p", 0666));
    SAY(mknod("r", 0666, 0));
    SAY(mknod("s", S_IFREG | 0600, 0));
    SAY(umask(0));
    SAY(mkdir("free", 0777));
    SAY(umask(022));
    mode("f");
    mode("g");
    mode("h");
    mode("d");
    mode("sticky");
    mode("l");
    mode("p");
    mode("r");
    mode("s");
    mode("free");
}

static void devices(void)
{
    SAY(mknod("c", S_IFCHR | 0600, 259));
    SAY(mknod("b", S_IFBLK | 0600, 259));
    SAY(mknod("f", S_IFCHR | 0600, 259));
    SAY(mknod("x", S_IFDIR | 0700, 0));
    SAY(mknod("x", S_IFLNK | 0700, 0));
    SAY(mknod("none/x", S_IFIFO | 0700, 0));
    SAY(mkfifo("x/", 0600));
    SAY(mkfifo("p", 0600));
    SAY(mkfifoat(AT_FDCWD, "d/p", 0600));
    SAY(mknodat(AT_FDCWD, "d/s", S_IFSOCK | 0600, 0));
    mode("d/s");
    SAY(open("d/s", O_RDWR));
    SAY(close(open("d/s", O_PATH)));
    SAY(unlink("d/s"));
    SAY(unlink("d/p"));
}

static void opening(const char *path)
{
    static const int ways[] = {O_RDONLY,         O_WRONLY, O_RDWR, O_RDONLY | O_TRUNC,
                               O_RDWR | O_CREAT, O_PATH,   3};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        errno = 0;
        int fd = open(path, ways[k], 0600);
        printf(" %d", fd < 0 ? -errno : 0);
        if (fd >= 0)
            close(fd);
    }
    printf("; %d %d %d %d", access(path, R_OK), access(path, W_OK), access(path, X_OK),
           access(path, F_OK));
    printf("; %d\n", truncate(path, 0));
}

static void files(void)
{
    for (int k = 0; k < 8; k++) {
        SAY(chmod("f", (mode_t)(k << 6 | 0077)));
        mode("f");
        opening("f");
    }
    SAY(chmod("f", 06755));
    mode("f");
    SAY(chmod("f", 0));
    opening("l");
    int fd = open("new", O_CREAT | O_RDWR, 0); // what it made itself can be written
    SAY(write(fd, "x", 1));
    SAY(fchmod(fd, 0400));
    SAY(write(fd, "y", 1));
    SAY(ftruncate(fd, 1));
    mode("new");
    SAY(open("new", O_RDWR));
    SAY(open("/proc/none", O_RDONLY));
    SAY(close(fd));
    SAY(unlink("new"));
    SAY(faccessat(AT_FDCWD, "f", R_OK, AT_EACCESS));
    SAY(eaccess("f", F_OK));
    SAY(rename("f", "f2"));
    SAY(rename("f2", "f"));
    SAY(chmod("f", 0644));
}

static void in_folder(void)
{
    struct stat s;
    DIR *list = opendir("d");
    printf("%d %d\n", list != NULL, list ? 0 : errno);
    if (list)
        closedir(list);
    SAY(stat("d/a", &s));
    SAY(stat("d/none", &s));
    SAY(stat("d/.", &s));
    SAY(stat("d", &s));
    SAY(access("d", R_OK | W_OK | X_OK));
    SAY(chdir("d") || chdir(".."));
    SAY(close(open("d/a", O_RDONLY)));
    SAY(close(open("d/new", O_RDWR | O_CREAT, 0600)));
    SAY(unlink("d/new"));
    SAY(unlink("d/none"));
    SAY(unlink("d/sub"));
    SAY(mkdir("d/other", 0700));
    SAY(rmdir("d/other"));
    SAY(rmdir("d/a"));
    SAY(mkdir("d/a", 0700));
    SAY(symlink("x", "d/l"));
    SAY(unlink("d/l"));
    SAY(mkfifo("d/p", 0600));
    SAY(unlink("d/p"));
    SAY(link("f", "d/f"));
    SAY(unlink("d/f"));
    SAY(link("sticky", "d/f"));
    SAY(rename("d/a", "d/b"));
    SAY(rename("d/b", "d/a"));
    SAY(rename("d/none", "d/b"));
    SAY(rename("f", "d/f"));
    SAY(rename("d/f", "f"));
    SAY(rename("d/sub", "moved"));
    SAY(rename("moved", "d/sub"));
    SAY(rmdir("d"));
    int fd = open("d", O_PATH), reads = open("d", O_RDONLY);
    SAY(fchdir(fd) || chdir(".."));
    SAY(fstatat(fd, "a", &s, 0));
    SAY(close(fd) + close(reads));
}

static void folders(void)
{
    SAY(close(creat("d/a", 0600)));
    SAY(mkdir("d/sub", 0500)); // its ".." cannot change
    for (unsigned k = 0; k < 8; k++) {
        SAY(chmod("d", k << 6));
        in_folder();
    }
    SAY(chmod("d/sub", 0700));
    SAY(rename("d/sub", "moved"));
    SAY(rmdir("moved"));
}

// Who is in a folder when it can be searched no more.
static void inside(void)
{
    struct stat s;
    SAY(chdir("d"));
    SAY(chmod(".", 0600));
    SAY(stat("a", &s));
    SAY(stat(".", &s));
    SAY(stat("..", &s));
    SAY(chdir(".."));
    SAY(chdir(folder));
    SAY(chmod("d", 0700));
}

static void owners(void)
{
    uid_t user = getuid();
    gid_t group = getgid();
    int fd = open("f", O_RDWR), place = open("f", O_PATH);
    SAY(chown("f", user, group));
    SAY(chown("f", (uid_t)-1, (gid_t)-1));
    SAY(chown("f", 0, group));
    SAY(chown("f", user, 0));
    SAY(chown("none", user, group));
    SAY(lchown("l", user, (gid_t)-1));
    SAY(lchown("l", 0, 0));
    SAY(fchown(fd, user, group));
    SAY(fchown(fd, 0, 0));
    SAY(fchown(-1, user, group));
    SAY(fchown(place, user, group));
    SAY(fchownat(AT_FDCWD, "l", user, group, AT_SYMLINK_NOFOLLOW));
    SAY(fchownat(AT_FDCWD, "l", user, group, 1));
    SAY(fchownat(fd, "", user, group, AT_EMPTY_PATH));
    SAY(close(fd) + close(place));
}

int main(void)
{
    // root may do all
    if (getuid() == 0 && (setgroups(0, NULL) || setgid(1000) || setuid(1000)))
        return 1;
    umask(022);
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    masks();
    devices();
    files();
    folders();
    inside();
    owners();
    return 0;
}
