// Result: correct.
// Symbolic links: what each call makes of one, of chains of them, and of slashes after them.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

static char folder[] = "/tmp/divm-XXXXXX";

static void tell(const char *path)
{
    struct stat s = {0};
    char target[PATH_MAX];
    errno = 0;
    if (lstat(path, &s) == 0)
        printf("%s: %o %d", path, (unsigned)s.st_mode, (int)s.st_nlink);
    else
        printf("%s: %d", path, errno);
    if (!S_ISDIR(s.st_mode))
        printf(" %ld", (long)s.st_size);
    errno = 0;
    long n = readlink(path, target, sizeof target);
    printf(" -> %.*s %d; ", n > 0 ? (int)n : 0, target, errno);
    if (stat(path, &s) == 0)
        printf("%o\n", (unsigned)s.st_mode);
    else
        printf("%d\n", errno);
}

static void make(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    if (!f)
        printf("%s cannot be made: %d\n", path, errno);
    else {
        fputs(text, f);
        fclose(f);
    }
}

static void targets(void)
{
    char text[8] = "#######";
    make("file", "text");
    SAY(symlink("file", "link"));
    SAY(symlink("nowhere", "dangling"));
    SAY(mkdir("d", 0755));
    SAY(mkdir("d/sub", 0755));
    SAY(symlink("d", "to_d"));
    SAY(symlink("d/", "to_d_slash"));
    SAY(symlink("file/", "to_file_slash"));
    int fd = open("d", O_RDONLY | O_DIRECTORY);
    SAY(symlinkat("../file", fd, "up"));
    SAY(close(fd));
    SAY(symlink("/dev/null", "absolute"));
    SAY(symlink("/", "root"));
    SAY(symlink("", "empty"));
    SAY(symlink("x", "link"));
    SAY(symlink("x", "d"));
    SAY(symlink("x", "new/"));
    SAY(symlink("x", "link/"));
    SAY(symlink("x", "none/new"));
    SAY(symlink("x", "file/new"));
    SAY(symlink("x", "."));
    static const char *const all[] = {
        "file",      "file/",    "link",          "link/",         "dangling",
        "dangling/", "to_d",     "to_d/",         "to_d_slash",    "to_file_slash",
        "to_d/up",   "to_d/sub", "to_d/sub/",     "to_d/sub/..",   "to_d/..",
        "d/up",      "absolute", "root/dev/null", "root",          "link/.",
        "link/..",   "file/.",   "dangling/x",    "to_d/sub/../up"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        tell(all[k]);
    SAY(readlink("link", text, 2));
    printf("%s\n", text);
    SAY(readlink("file", text, 8));
    SAY(readlink("none", text, 8));
    SAY(readlink("", text, 8));
    SAY(readlinkat(AT_FDCWD, "to_d/up", text, 8));
    printf("%s\n", text);
}

static void opening(void)
{
    char text[8] = "";
    int fd = open("link", O_RDONLY);
    SAY(read(fd, text, 7));
    SAY(close(fd));
    SAY(open("link", O_RDONLY | O_NOFOLLOW));
    SAY(open("to_d", O_RDONLY | O_NOFOLLOW));
    SAY(open("to_d", O_RDONLY | O_NOFOLLOW | O_DIRECTORY));
    SAY(close(open("to_d/", O_RDONLY | O_NOFOLLOW)));
    SAY(close(open("to_d", O_RDONLY | O_DIRECTORY)));
    SAY(close(open("to_d/up", O_RDONLY | O_NOFOLLOW)));
    SAY(open("link", O_RDONLY | O_DIRECTORY));
    SAY(open("link/", O_RDONLY));
    SAY(open("file/", O_RDONLY));
    SAY(open("to_file_slash", O_RDONLY));
    SAY(open("to_file_slash", O_RDONLY | O_CREAT, 0600));
    SAY(open("new/", O_RDWR | O_CREAT, 0600));
    SAY(open("file/", O_RDWR | O_CREAT, 0600));
    SAY(open("d/", O_RDONLY | O_CREAT, 0600));
    SAY(open("d", O_RDONLY | O_CREAT, 0600));
    SAY(open("d", O_RDONLY | O_CREAT | O_EXCL, 0600));
    SAY(open("d", O_RDWR));
    SAY(open("d", O_RDONLY | O_TRUNC));
    SAY(open("dangling", O_RDWR));
    SAY(open("dangling", O_RDWR | O_CREAT | O_EXCL, 0600));
    SAY(open("dangling", O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
    SAY(close(open("dangling", O_RDWR | O_CREAT, 0600)));
    tell("dangling");
    tell("nowhere");
    SAY(unlink("nowhere"));
    SAY(open("d/none/x", O_RDWR | O_CREAT, 0600));
    SAY(open("", O_RDWR | O_CREAT, 0600));
    SAY(open("new", O_RDWR | O_CREAT | O_DIRECTORY, 0600));
    SAY(close(creat("link", 0600)));
    tell("file");
    fd = open("link", O_PATH | O_NOFOLLOW);
    struct stat s;
    SAY(fstat(fd, &s));
    printf("%o\n", (unsigned)s.st_mode);
    SAY(readlinkat(fd, "", text, 8));
    printf("%s\n", text);
    SAY(read(fd, text, 1));
    SAY(fchmod(fd, 0600));
    SAY((fcntl(fd, F_GETFL) & (O_ACCMODE | O_PATH | O_NOFOLLOW)) != 0);
    SAY(close(fd));
    fd = open("to_d", O_PATH | O_DIRECTORY);
    SAY(openat(fd, "none", O_RDONLY));
    SAY(close(openat(fd, "up", O_RDONLY)));
    SAY(fchdir(fd));
    SAY(chdir(".."));
    SAY(close(fd));
}

static void changing(void)
{
    struct stat s;
    SAY(chmod("link", 0640));
    SAY(fchmodat(AT_FDCWD, "link", 0600, AT_SYMLINK_NOFOLLOW));
    SAY(fchmodat(AT_FDCWD, "file", 0604, AT_SYMLINK_NOFOLLOW));
    SAY(chmod("dangling", 0600));
    tell("link");
    make("link", "more");
    SAY(truncate("link", 2));
    SAY(truncate("to_d", 2));
    SAY(truncate("dangling", 2));
    SAY(chdir("link"));
    SAY(chdir("dangling"));
    SAY(chdir("to_d"));
    SAY(access("up", R_OK));
    SAY(chdir(folder));
    SAY(access("link", R_OK));
    SAY(access("dangling", F_OK));
    SAY(faccessat(AT_FDCWD, "dangling", F_OK, AT_SYMLINK_NOFOLLOW));
    SAY(faccessat(AT_FDCWD, "link", 8, 0));
    SAY(fstatat(AT_FDCWD, "dangling", &s, AT_SYMLINK_NOFOLLOW));
    SAY(fstatat(AT_FDCWD, "dangling", &s, 0));
    SAY(fstatat(AT_FDCWD, "link", &s, 0x40000));
    SAY(fstatat(AT_FDCWD, "", &s, 0));
    SAY(fstatat(99, "", &s, AT_EMPTY_PATH));
    SAY(fstatat(99, "link", &s, 0));
    SAY(fstatat(99, "/", &s, 0));
    SAY(utimensat(AT_FDCWD, "dangling", NULL, AT_SYMLINK_NOFOLLOW));
    SAY(utimensat(AT_FDCWD, "dangling", NULL, 0));
}

static void names(void)
{
    SAY(mkdir("dangling", 0755));
    SAY(mkdir("dangling/", 0755));
    SAY(mkdir("e/", 0755));
    SAY(mkdir("e/.", 0755));
    SAY(mkdir("to_d/f", 0755));
    SAY(rmdir("to_d"));
    SAY(rmdir("to_d/"));
    SAY(rmdir("to_d/f/"));
    SAY(rmdir("e/."));
    SAY(rmdir("e/.."));
    SAY(rmdir("/"));
    SAY(rmdir("file"));
    SAY(unlink("e"));
    SAY(unlink("e/"));
    SAY(unlink("."));
    SAY(unlink("link/"));
    SAY(unlink("file/"));
    SAY(unlink("none/"));
    SAY(unlinkat(AT_FDCWD, "file", 1));
    SAY(rename("link", "moved"));
    tell("moved");
    SAY(rename("moved/", "again"));
    SAY(rename("moved", "again/"));
    SAY(rename("none", "again"));
    SAY(rename("file", "e"));
    SAY(rename("e", "file"));
    SAY(rename("e", "to_d"));
    SAY(rename("e/", "g/"));
    SAY(rename("g", "d/sub"));
    SAY(rename("d", "d/sub/x"));
    SAY(rename("d/sub", "d"));
    SAY(rename("moved", "to_d"));
    tell("to_d");
    SAY(rename("file", "to_d"));
    tell("to_d");
    tell("to_d_slash");
    SAY(link("dangling", "hard"));
    tell("hard");
    SAY(linkat(AT_FDCWD, "dangling", AT_FDCWD, "followed", AT_SYMLINK_FOLLOW));
    SAY(linkat(AT_FDCWD, "d/up", AT_FDCWD, "followed", AT_SYMLINK_FOLLOW));
    SAY(linkat(AT_FDCWD, "to_d", AT_FDCWD, "x", 1));
    SAY(link("d", "hard_d"));
    SAY(link("d", "to_d"));
    SAY(link("to_d", "hard_file"));
    SAY(link("to_d", "no/"));
    SAY(rename("to_d", "hard_file"));
    tell("to_d");
    SAY(unlink("hard_file"));
    tell("to_d");
    SAY(rename("none/x", "y"));
    SAY(rename("to_d", "none/y"));
    SAY(rename("to_d", "."));
    SAY(rename("..", "y"));
}

static void chain(const char *first)
{
    char name[8], target[8];
    strcpy(target, first);
    for (int k = 1; k <= 41; k++) {
        sprintf(name, "c%d", k);
        if (symlink(target, name))
            printf("%s cannot be made: %d\n", name, errno);
        strcpy(target, name);
    }
}

static void loops(void)
{
    SAY(symlink("self", "self"));
    SAY(symlink("b", "a"));
    SAY(symlink("a", "b"));
    tell("self");
    tell("a");
    tell("a/x");
    SAY(open("a", O_RDWR | O_CREAT, 0600));
    SAY(realpath("a", NULL) != NULL);
    chain("d");
    tell("c40");
    tell("c41");
    tell("c40/sub");
    tell("c40/up");
    tell("c39/up");
    tell("c41/sub");
    SAY(open("c41", O_RDONLY));
    SAY(symlink("to/c20", "c20/c20"));
    SAY(symlink("../c18", "d/to"));
    tell("c20/to");
    tell("c20/to/up");
    char *long_path = malloc(PATH_MAX + 1);
    for (int k = 0; k < PATH_MAX; k += 2)
        memcpy(long_path + k, "./", 2);
    long_path[PATH_MAX] = 0;
    SAY(open(long_path, O_RDONLY));
    long_path[PATH_MAX - 1] = 0;
    SAY(close(open(long_path, O_RDONLY)));
    long_path[300] = 0;
    memset(long_path, 'n', 300);
    SAY(open(long_path, O_RDONLY));
    SAY(mkdir(long_path, 0700));
    long_path[255] = 0;
    SAY(symlink("x", long_path));
    SAY(unlink(long_path));
    free(long_path);
}

static void resolved(void)
{
    static const char *const all[] = {
        "d/sub/../up", "to_d_slash/sub/.", "root/dev/null", "dangling", "none", "", "c20",
        ".",           "file/..",          "d/up/"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char path[PATH_MAX];
        errno = 0;
        const char *found = realpath(all[k], path);
        size_t skip = strlen(folder);
        printf("%s: %s %d\n", all[k],
               found ? strncmp(found, folder, skip) ? found : found + skip : "-",
               found ? 0 : errno);
    }
}

static int is_listed(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && entry->d_name[0] != 'c';
}

static void listed(void)
{
    struct dirent **list;
    int n = scandir(".", &list, is_listed, alphasort);
    for (int k = 0; k < n; k++) {
        printf("%s %d\n", list[k]->d_name, list[k]->d_type);
        free(list[k]);
    }
    free(list);
}

// A folder that was removed while it is the current one.
static void removed(void)
{
    struct stat s;
    char path[100];
    SAY(mkdir("p", 0700));
    SAY(mkdir("p/q", 0700));
    SAY(chdir("p/q"));
    SAY(rmdir("../q"));
    SAY(rmdir("../../p"));
    SAY(stat(".", &s));
    printf("%d\n", (int)s.st_nlink);
    SAY(getcwd(path, sizeof path) != NULL);
    SAY(open("x", O_RDWR | O_CREAT, 0600));
    SAY(mkdir("x", 0700));
    SAY(symlink("x", "y"));
    SAY(rename("../../file", "x"));
    SAY(stat("..", &s));
    SAY(chdir("../.."));
    SAY(access("d", F_OK));
}

int main(void)
{
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    umask(022);
    targets();
    opening();
    changing();
    names();
    loops();
    resolved();
    listed();
    removed();
    return 0;
}
