// A link is made to lead elsewhere while another thread reads through it: by rename, which does
// it as a whole. Result: correct.  -DBUG removes it and makes it anew: assertion violation.
// -DLOOP for a moment it leads to itself: assertion violation.
// Expect-LOOP: errno == ENOENT
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void make(const char *path, const char *text)
{
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert(fd >= 0 && write(fd, text, 1) == 1 && close(fd) == 0);
}

static void *turn(void *arg)
{
#ifdef BUG
    unlink("/tmp/current");
    symlink("new", "/tmp/current");
#elif defined LOOP
    symlink("current", "/tmp/next");
    rename("/tmp/next", "/tmp/current");
    symlink("new", "/tmp/next");
    rename("/tmp/next", "/tmp/current");
#else
    assert(symlink("new", "/tmp/next") == 0);
    assert(rename("/tmp/next", "/tmp/current") == 0);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    char text, target[8];
    make("/tmp/old", "o");
    make("/tmp/new", "n");
    assert(symlink("old", "/tmp/current") == 0);
    pthread_create(&t, NULL, turn, NULL);
    int fd = open("/tmp/current", O_RDONLY);
#ifdef LOOP
    assert(fd >= 0 || errno == ENOENT);
#endif
    assert(fd >= 0 && read(fd, &text, 1) == 1 && (text == 'o' || text == 'n'));
    assert(readlink("/tmp/current", target, sizeof target) == 3);
    assert(text == 'o' || target[0] == 'n');
    close(fd);
    pthread_join(t, NULL);
    return 0;
}
