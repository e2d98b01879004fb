// A copy of a folder of the host, and standard input.  Writing changes the copy only.
//
// Options: --capture=tests/posix/captured:/data/copy --stdin=tests/posix/captured/a.txt
// Result: correct.
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void check(const char *path, const char *content)
{
    char text[64];
    FILE *file = fopen(path, "r+");
    assert(file);
    size_t size = fread(text, 1, sizeof text, file);
    assert(size == strlen(content) && !memcmp(text, content, size));
    assert(fputs("more", file) >= 0 && fclose(file) == 0);
    struct stat status;
    assert(stat(path, &status) == 0 && (size_t)status.st_size == size + 4);
    assert(S_ISREG(status.st_mode));
}

int main(void)
{
    char line[16];
    DIR *folder = opendir("/data/copy");
    int entries = 0;
    while (readdir(folder))
        entries++;
    closedir(folder);
    assert(entries == 4);
    check("/data/copy/a.txt", "one\ntwo\n");
    assert(chdir("/data/copy/inner") == 0);
    check("b.txt", "three");
    assert(access("c.txt", F_OK) == -1 && errno == ENOENT);
    assert(fgets(line, sizeof line, stdin) && !strcmp(line, "one\n"));
    assert(fgets(line, sizeof line, stdin) && !strcmp(line, "two\n"));
    assert(!fgets(line, sizeof line, stdin) && feof(stdin));
    return 0;
}
