// Result: correct.
// System calls on files, folders and pipes.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "say.h"

static char folder[] = "/tmp/divm-XXXXXX";

static void folders(void)
{
    struct stat s;
    char path[200];
    SAY(mkdir("d", 0755));
    SAY(mkdir("d", 0755));
    SAY(close(open("d/f", O_CREAT | O_WRONLY, 0644)));
    SAY(open("d/f", O_CREAT | O_EXCL | O_WRONLY, 0644));
    SAY(rmdir("d"));
    SAY(unlink("d"));
    SAY(stat("d/f", &s));
    printf("%o %ld %d\n", (unsigned)s.st_mode, (long)s.st_size, (int)s.st_nlink);
    SAY(link("d/f", "g"));
    stat("d/f", &s);
    printf("%d\n", (int)s.st_nlink);
    SAY(stat("d", &s));
    printf("%d\n", S_ISDIR(s.st_mode));
    SAY(chdir("d"));
    printf("%s\n", strrchr(getcwd(path, sizeof path), '/'));
    SAY(access("../g", R_OK));
    SAY(access("../h", F_OK));
    SAY(chdir(".."));
    SAY(rename("d", "d/e"));
    SAY(rename("d", "."));
    SAY(rename("..", "d"));
    SAY(rename("none", "."));
    SAY(truncate("d", 0));
    SAY(truncate("none", -1));
    SAY(ftruncate(-1, -1));
    SAY(rename("d", "e"));
    SAY(chmod("g", 0600));
    stat("e/f", &s);
    printf("%o\n", (unsigned)s.st_mode);
    struct dirent **list;
    int n = scandir(".", &list, NULL, alphasort);
    for (int k = 0; k < n; k++) {
        printf("%s ", list[k]->d_name);
        free(list[k]);
    }
    free(list);
    puts("");
    SAY(unlink("g"));
    SAY(unlink("e/f"));
    SAY(rmdir("e"));
    SAY(open("f/g", O_RDONLY));
}

static void descriptors(void)
{
    char text[20] = "";
    int fd = open("f", O_CREAT | O_RDWR, 0644), other = dup(fd);
    SAY(write(fd, "hello world", 11));
    SAY(lseek(other, 6, SEEK_SET));
    SAY(read(fd, text, 5));
    printf("%s\n", text);
    SAY(pread(fd, text, 5, 0));
    printf("%s\n", text);
    SAY(pwrite(fd, "H", 1, 0));
    SAY(lseek(fd, 0, SEEK_CUR));
    SAY(lseek(fd, -100, SEEK_CUR));
    SAY(dup2(fd, 50));
    SAY(fcntl(fd, F_DUPFD, 30));
    SAY(fcntl(50, F_GETFL) & O_ACCMODE);
    SAY(fcntl(fd, F_SETFL, O_APPEND));
    lseek(fd, 0, SEEK_SET);
    SAY(write(other, "!", 1));
    SAY(lseek(fd, 0, SEEK_END));
    SAY(ftruncate(fd, 5));
    struct iovec v[2] = {{text, 2}, {text + 2, 10}};
    lseek(fd, 0, SEEK_SET);
    SAY(readv(fd, v, 2));
    printf("%.5s\n", text);
    char *map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
    printf("%s\n", map);
    SAY(munmap(map, 4096));
    SAY(close(fd));
    SAY(close(other));
    SAY(close(50));
    SAY(close(50));
    SAY(close(30));
    SAY(read(30, text, 1));
    SAY(unlink("f"));
    fd = open("/dev/null", O_RDWR);
    SAY(write(fd, "x", 1));
    SAY(read(fd, text, 1));
    close(fd);
}

static void pipes(void)
{
    int p[2];
    char text[20] = "";
    SAY(pipe2(p, O_NONBLOCK));
    SAY(read(p[0], text, 5));
    SAY(write(p[1], "abcdef", 6));
    SAY(read(p[0], text, 4));
    struct pollfd list[] = {{p[0], POLLIN, 0}, {p[1], POLLOUT, 0}, {99, POLLIN, 0}};
    SAY(poll(list, 3, -1));
    printf("%d %d %d\n", list[0].revents, list[1].revents, list[2].revents);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(p[0], &set);
    SAY(select(p[0] + 1, &set, NULL, NULL, NULL));
    SAY(read(p[0], text, 10));
    SAY(lseek(p[0], 0, SEEK_SET));
    SAY(write(p[0], "x", 1));
    SAY(close(p[1]));
    SAY(read(p[0], text, 10));
    list[0].revents = 0;
    SAY(poll(list, 1, -1));
    printf("%d\n", list[0].revents);
    close(p[0]);
    int e = eventfd(3, EFD_NONBLOCK | EFD_SEMAPHORE);
    uint64_t value = 0;
    SAY(read(e, &value, sizeof value));
    printf("%d\n", (int)value);
    value = 4;
    SAY(write(e, &value, sizeof value));
    for (int k = 0; k < 7; k++)
        SAY(read(e, &value, sizeof value));
    close(e);
    int *numbers = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d\n", numbers[1000]);
    numbers[1000] = 5;
    SAY(munmap(numbers, 8192));
}

int main(void)
{
    umask(022);
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    folders();
    descriptors();
    pipes();
    chdir("/");
    SAY(rmdir(folder));
    return 0;
}
