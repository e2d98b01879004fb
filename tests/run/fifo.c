// Result: correct.
// Pipes with names, by a single thread that never waits: who may open them, what poll, select
// and epoll say, what is left in them.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

static char folder[] = "/tmp/divm-XXXXXX";
static volatile sig_atomic_t broken;

static void on_pipe(int number)
{
    (void)number;
    broken++;
}

static void look(const char *name, int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN | POLLOUT};
    struct timeval none = {0, 0};
    fd_set reads, writes;
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_SET(fd, &reads);
    FD_SET(fd, &writes);
    printf("%s: %d", name, poll(&p, 1, 0));
    printf(" %x; %d", (unsigned)p.revents, select(fd + 1, &reads, &writes, NULL, &none));
    printf(" %d %d\n", !!FD_ISSET(fd, &reads), !!FD_ISSET(fd, &writes));
}

static void ends(void)
{
    char text[8] = "";
    SAY(open("p", O_WRONLY | O_NONBLOCK));
    SAY(open("p", 3 | O_NONBLOCK));
    int in = open("p", O_RDONLY | O_NONBLOCK);
    look("reads alone", in);
    SAY(read(in, text, 8));
    int second = open("l", O_RDONLY | O_NONBLOCK);
    int out = open("p", O_WRONLY | O_NONBLOCK | O_APPEND | O_TRUNC);
    look("reads", in);
    look("writes", out);
    SAY(read(in, text, 8));
    SAY(write(out, "abc", 3));
    look("reads", in);
    SAY(read(second, text, 1));
    SAY(close(out));
    look("left", in);
    look("left", second);
    SAY(read(in, text, 8));
    look("ended", in);
    look("ended", second);
    SAY(read(in, text, 8));
    SAY(close(second));
    second = open("p", O_RDONLY | O_NONBLOCK);
    look("anew", second);
    look("ended", in);
    out = open("p", O_WRONLY);
    look("anew", second);
    SAY(close(in));
    SAY(close(second));
    look("broken", out);
    SAY(write(out, "x", 1));
    printf("%d\n", broken);
    in = open("p", O_RDONLY);
    SAY(write(out, "x", 1));
    SAY(close(in));
    in = open("p", O_RDONLY);
    SAY(read(in, text, 8));
    SAY(write(out, "y", 1));
    SAY(close(in) + close(out));
    in = open("p", O_RDONLY | O_NONBLOCK);
    SAY(read(in, text, 8)); // what was in it is gone
    SAY(close(in));
}

static void both(void)
{
    char text[8] = "";
    int fd = open("p", O_RDWR), in = open("p", O_RDONLY), out = open("p", O_WRONLY);
    look("both", fd);
    SAY(write(fd, "12", 2));
    SAY(write(out, "3", 1));
    look("both", fd);
    SAY(close(fd));
    SAY(read(in, text, 8));
    printf("%s\n", text);
    SAY(lseek(in, 0, SEEK_SET));
    SAY(pread(in, text, 1, 0));
    SAY(ftruncate(out, 0));
    SAY(read(out, text, 1));
    SAY(write(in, text, 1));
    SAY(fcntl(in, F_GETFL) & (O_ACCMODE | O_NONBLOCK));
    SAY(fcntl(in, F_SETFL, O_NONBLOCK));
    SAY(read(in, text, 1));
    SAY(close(in) + close(out));
}

static void names(void)
{
    struct stat s;
    char text[8] = "";
    int in = open("p", O_RDONLY | O_NONBLOCK), place = open("p", O_PATH);
    SAY(rename("p", "q"));
    SAY(link("q", "r"));
    SAY(mkfifo("p", 0600));
    SAY(open("p", O_WRONLY | O_NONBLOCK));
    int out = open("r", O_WRONLY | O_NONBLOCK);
    SAY(unlink("q"));
    SAY(unlink("r"));
    SAY(write(out, "z", 1));
    SAY(read(in, text, 8));
    SAY(fstat(in, &s));
    printf("%o %d %d\n", (unsigned)s.st_mode, (int)s.st_nlink, (int)s.st_size);
    SAY(open("p", O_RDONLY | O_NONBLOCK | O_CREAT | O_EXCL, 0600));
    SAY(close(open("p", O_RDONLY | O_NONBLOCK | O_CREAT, 0600)));
    SAY(open("p/", O_RDONLY | O_NONBLOCK));
    SAY(open("p", O_RDONLY | O_NONBLOCK | O_DIRECTORY));
    SAY(truncate("p", 0));
    SAY(close(in) + close(out) + close(place));
}

static void watched(void)
{
    struct epoll_event event = {.events = EPOLLIN}, found;
    char text[8] = "";
    int set = epoll_create1(0), in = open("p", O_RDONLY | O_NONBLOCK);
    SAY(epoll_ctl(set, EPOLL_CTL_ADD, in, &event));
    SAY(epoll_wait(set, &found, 1, 0));
    int out = open("p", O_WRONLY);
    SAY(epoll_wait(set, &found, 1, 0));
    SAY(write(out, "w", 1));
    SAY(epoll_wait(set, &found, 1, 0));
    printf("%x\n", found.events);
    SAY(read(in, text, 8));
    SAY(close(out));
    SAY(epoll_wait(set, &found, 1, 0));
    printf("%x\n", found.events);
    SAY(close(in) + close(set));
}

int main(void)
{
    signal(SIGPIPE, on_pipe);
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    SAY(mkfifo("p", 0600));
    SAY(symlink("p", "l"));
    ends();
    both();
    names();
    watched();
    return 0;
}
