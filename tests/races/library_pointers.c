// What a variable of the library leads to, and nothing else, can be come to by other threads:
// an object that hsearch knows.  Result: correct.
// -DPLAIN without a lock of its own: data race.
// -DATOMIC each adds one in two steps: assertion violation.
// -DBUFFER a string that strtok is in the middle of: data race.
// -DPUTENV a string that is a part of the environment: data race.
#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t begun;

static atomic_int *known(void)
{
    pthread_mutex_lock(&lock);
    const ENTRY *entry = hsearch((ENTRY){"key", NULL}, FIND);
    pthread_mutex_unlock(&lock);
    return entry->data;
}

static void *add(void *arg)
{
#if defined PLAIN
    ++*(int *)known();
#elif defined ATOMIC
    atomic_int *sum = known();
    atomic_store(sum, atomic_load(sum) + 1);
#else
    atomic_fetch_add(known(), 1);
#endif
    return arg;
}

static void by_hsearch(void)
{
    pthread_t t;
    assert(hcreate(4));
    hsearch((ENTRY){"key", calloc(1, sizeof(int))}, ENTER);
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(atomic_load(known()) == 2);
    free(known());
    hdestroy();
}

/* What another thread comes to by the library, it uses without being told to. */
static void *use(void *arg)
{
    sem_wait(&begun);
#if defined BUFFER
    strtok(NULL, " ");
#elif defined PUTENV
    const char *value = getenv("A");
    assert(value && *value);
#endif
    return arg;
}

static void by_string(void)
{
    pthread_t t;
    char text[] = "A=1 b c";
    sem_init(&begun, 0, 0);
    pthread_create(&t, NULL, use, NULL);
#if defined BUFFER
    strtok(text, " ");
#elif defined PUTENV
    putenv(text);
#endif
    sem_post(&begun);
    text[2] = '2';
    text[4] = '3';
    pthread_join(t, NULL);
}

int main(void)
{
#if defined BUFFER || defined PUTENV
    by_string();
#else
    by_hsearch();
#endif
    return 0;
}
