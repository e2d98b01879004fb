// Result: correct.
// Allocation: contents kept, cleared, aligned; failures of what cannot be.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(5);
    strcpy(p, "four");
    p = realloc(p, 100);
    printf("%s\n", p);
    strcat(p, " and more");
    p = realloc(p, 14);
    printf("%s\n", p);
    free(p);
    free(NULL);

    int *z = calloc(10, sizeof *z), sum = 0;
    for (int i = 0; i < 10; i++)
        sum += z[i];
    printf("%d\n", sum);
    free(z);
    volatile size_t huge = SIZE_MAX / 2;
    errno = 0;
    printf("%d", calloc(huge, 4) == NULL);
    printf(" %d\n", errno == ENOMEM);
    printf("%d\n", malloc(huge) == NULL);

    void *a = aligned_alloc(64, 128), *b;
    int r = posix_memalign(&b, 256, 10);
    printf("%d %d %d\n", (uintptr_t)a % 64 == 0, r, (uintptr_t)b % 256 == 0);
    printf("%d\n", posix_memalign(&b, 3, 10) == EINVAL);
    free(a);
    free(b);

    void *one = malloc(0), *two = malloc(0);
    printf("%d\n", one != two);
    free(one);
    free(two);
    p = realloc(NULL, 3);
    p[2] = 'x';
    printf("%c\n", p[2]);
    free(p);
    return 0;
}
