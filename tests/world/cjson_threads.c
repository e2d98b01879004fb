/* Two threads build and print documents at the same time: correct.  -DBUG has them parse:
 * cJSON_Parse keeps where the last error was in a global variable: a data race. */
#include <assert.h>
#include <cJSON.h>
#include <pthread.h>
#include <string.h>

static void *work(void *arg)
{
#ifdef BUG
    cJSON *object = cJSON_Parse("{\"number\":1}");
#else
    cJSON *object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "number", 1);
#endif
    char *text = cJSON_PrintUnformatted(object);
    (void)arg;
    assert(!strcmp(text, "{\"number\":1}"));
    cJSON_free(text);
    cJSON_Delete(object);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
