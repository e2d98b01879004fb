// shm_open makes files in /dev/shm, which are mapped as shared for reading only.
//
// Result: correct. -DMAPPED: correct. -DWRITTEN: refused.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    char two[2];
    assert(shm_open("/s", O_RDWR, 0) == -1 && errno == ENOENT);
    int fd = shm_open("/s", O_CREAT | O_EXCL | O_RDWR, 0600), other = shm_open("s", O_RDWR, 0);
    assert(fd >= 0 && other >= 0);
    assert(shm_open("/s", O_CREAT | O_EXCL | O_RDWR, 0600) == -1 && errno == EEXIST);
    assert(write(fd, "ab", 2) == 2 && read(other, two, 2) == 2 && two[1] == 'b');
    assert(shm_open("/a/b", O_CREAT | O_RDWR, 0600) == -1 && errno == EINVAL);
    assert(shm_open("/..", O_CREAT | O_RDWR, 0600) == -1 && errno == EINVAL);
#ifdef MAPPED
    const char *text = mmap(NULL, 2, PROT_READ, MAP_SHARED, fd, 0);
    assert(text[0] == 'a' && text[1] == 'b' && munmap((void *)text, 2) == 0);
#endif
#ifdef WRITTEN
    mmap(NULL, 2, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
#endif
    assert(shm_unlink("/s") == 0 && shm_unlink("/s") == -1 && errno == ENOENT);
    return 0;
}
