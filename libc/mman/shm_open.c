/* shm_open - files in /dev/shm, which is made by whoever needs it first. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char folder[] = "/dev/shm";

struct path {
    char text[sizeof folder + NAME_MAX + 1];
};

/* Finds a file's path; false, with errno, if the name is none of one file. */
static int find(const char *name, struct path *path)
{
    name += strspn(name, "/");
    size_t length = strlen(name);
    if (!length || strchr(name, '/') || !strcmp(name, ".") || !strcmp(name, "..")) {
        errno = EINVAL;
        return 0;
    }
    if (length > NAME_MAX) {
        errno = ENAMETOOLONG;
        return 0;
    }
    memcpy(path->text, folder, sizeof folder - 1);
    path->text[sizeof folder - 1] = '/';
    memcpy(path->text + sizeof folder, name, length + 1);
    return 1;
}

int shm_open(const char *name, int flags, mode_t mode)
{
    struct path path;
    int cancel, error = errno;
    if (!find(name, &path))
        return -1;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    if (flags & O_CREAT && mkdir(folder, 0777))
        errno = error; /* it is there */
    int fd = open(path.text, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode);
    pthread_setcancelstate(cancel, NULL);
    return fd;
}

int shm_unlink(const char *name)
{
    struct path path;
    return find(name, &path) ? unlink(path.text) : -1;
}
