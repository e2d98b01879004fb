// A name is copied into a record that has no room for its end.
// Result: memory error. Learned: strcpy in line 17 writes 9 bytes to a name of 8, and past the
// end of table, which main allocated in line 24.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct record {
    int id;
    char name[8];
};

static struct record *table;

static void *rename_to(void *name)
{
    strcpy(table[1].name, name);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    table = calloc(2, sizeof *table);
    pthread_create(&thread, NULL, rename_to, "Victoria");
    pthread_join(thread, NULL);
    free(table);
    return 0;
}
