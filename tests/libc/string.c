// Result: correct.
// Byte strings: copying, comparing, searching, splitting.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void search(void)
{
    const char *s = "the quick brown fox";
    printf("%zu %zu\n", strlen(s), strnlen(s, 5));
    printf("%s|%s|%s\n", strchr(s, 'q'), strrchr(s, 'o'), strstr(s, "brown"));
    printf("%d %d\n", strchr(s, 'z') == NULL, strchr(s, 0) == s + strlen(s));
    printf("%zu %zu %s\n", strspn(s, "eht "), strcspn(s, "kq"), strpbrk(s, "xb"));
    printf("%s\n", (char *)memchr(s, 'b', strlen(s)));
    printf("%d\n", memchr(s, 'x', 5) == NULL);
    printf("%d\n", strstr(s, "foxes") == NULL);
}

static void compare(void)
{
    printf("%d %d %d\n", sign(strcmp("abc", "abd")), strcmp("abc", "abc"),
           sign(strcmp("b", "abc")));
    printf("%d %d\n", strncmp("abcdef", "abcxyz", 3), sign(strncmp("abcdef", "abcxyz", 4)));
    printf("%d %d\n", sign(memcmp("a\0c", "a\0b", 3)), sign(strcmp("\xff", "a")));
    printf("%d %d\n", strcasecmp("HeLLo", "hEllO"), sign(strncasecmp("abX", "aby", 3)));
}

static void copy(void)
{
    char buf[16], *end;
    memset(buf, '#', sizeof buf - 1);
    buf[15] = 0;
    strncpy(buf, "abc", 6);
    printf("%s %d %d %s\n", buf, buf[3], buf[5], buf + 6);
    strcpy(buf, "one");
    strcat(buf, "two");
    strncat(buf, "three", 2);
    printf("%s\n", buf);
    end = stpcpy(buf, "stp");
    printf("%s %d\n", buf, (int)(end - buf));
    memmove(buf + 1, buf, 4);
    printf("%s\n", buf);
    memmove(buf, buf + 2, 3);
    printf("%s\n", buf);
    printf("%d\n", memccpy(buf, "hello", 'l', 5) == buf + 3);
}

/* exactly as large as needed: a read past the end is an error */
static void exact(void)
{
    for (size_t n = 1; n < 20; n++) {
        char *p = malloc(n);
        memset(p, 'x', n - 1);
        p[n - 1] = 0;
        char *q = strdup(p);
        printf("%zu%d%d ", strlen(q), strcmp(p, q), strchr(q, 'y') != NULL);
        free(p);
        free(q);
    }
    puts("");
}

int main(void)
{
    char words[] = "a,b;;c, d", *save;
    search();
    compare();
    copy();
    exact();
    for (char *w = strtok_r(words, ",;", &save); w; w = strtok_r(NULL, ",;", &save))
        printf("[%s]", w);
    puts("");
    return 0;
}
