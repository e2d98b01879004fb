// Result: correct.
// Streams on files: writing, reading, seeking, appending, removing.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/divm-XXXXXX";

static void show(const char *name)
{
    char line[100];
    FILE *f = fopen(name, "r");
    if (!f) {
        printf("%s: %s\n", name, strerror(errno));
        return;
    }
    while (fgets(line, sizeof line, f))
        printf("[%s]", line);
    printf(" eof %d error %d at %ld\n", !!feof(f), !!ferror(f), ftell(f));
    fclose(f);
}

int main(void)
{
    FILE *f;
    char word[20];
    int a, b;
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    f = fopen("a", "w");
    fprintf(f, "one %d\ntwo %d\n", 1, 2);
    for (int k = 0; k < 3000; k++)
        fputc('x', f);
    printf("%ld\n", ftell(f));
    fclose(f);
    f = fopen("a", "r+");
    printf("%d\n", fscanf(f, "%19s %d", word, &a));
    printf("%s %d\n", word, a);
    fseek(f, 4, SEEK_SET);
    fputs("7", f);
    fseek(f, -3000, SEEK_END);
    printf("%ld %c\n", ftell(f), fgetc(f));
    rewind(f);
    printf("%d\n", fscanf(f, "one %d two %d", &a, &b));
    printf("%d %d\n", a, b);
    printf("%d\n", ftruncate(fileno(f), 12));
    fclose(f);
    show("a");
    f = fopen("a", "a");
    fputs("three 3\n", f);
    fclose(f);
    show("a");
    f = freopen("b", "w", fopen("a", "r"));
    setvbuf(f, NULL, _IONBF, 0);
    fwrite("binary\0data", 1, 11, f);
    fputs("unbuffered", f);
    fclose(f);
    f = fopen("b", "rb");
    unsigned char bytes[32] = {0};
    printf("%zu\n", fread(bytes, 1, sizeof bytes, f));
    printf("%d %s\n", bytes[6], bytes + 7);
    ungetc('z', f);
    printf("%c\n", getc(f));
    fclose(f);
    printf("%d\n", rename("b", "c"));
    show("b");
    printf("%d %d\n", remove("a"), remove("c"));
    printf("%d %d\n", fopen("none/none", "w") == NULL, errno == ENOENT);
    printf("%d\n", fopen("x", "rx") == NULL);
    f = tmpfile();
    fprintf(f, "temporary %x", 255);
    rewind(f);
    printf("%d %s\n", fscanf(f, "temporary %19s", word), word);
    fclose(f);
    char *line = NULL;
    size_t size = 0;
    f = fopen("lines", "w+");
    fputs("first\nsecond, longer than the first\nthird", f);
    rewind(f);
    for (ssize_t n; (n = getline(&line, &size, f)) > 0;)
        printf("%zd %s|", n, line);
    puts("");
    free(line);
    fclose(f);
    remove("lines");
    chdir("/");
    printf("%d\n", rmdir(folder));
    return 0;
}
