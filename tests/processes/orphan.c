// The parent ends first: its child goes on, with no parent.  Grandchildren too.
//
// Result: correct.  -DLEAK leaves something behind in the child: memory error.
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int fd[2];
    char c;
    assert(pipe(fd) == 0);
    if (fork() == 0) {
        close(fd[1]);
        assert(read(fd[0], &c, 1) == 0); /* the parent has ended */
        assert(getppid() == 1);
        char *volatile memory = malloc(8);
#ifdef LEAK
        memory = NULL;
#endif
        if (fork() == 0) {
            free(memory);
            exit(1);
        }
        free(memory);
        exit(2);
    }
    return 0;
}
