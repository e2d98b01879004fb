/* Two threads share a value that nobody changes; its references are counted atomically,
 * and who gives up the last one frees it.  json_incref also reads the counter plainly: a
 * data race, but with --races=allow correct. */
#include <assert.h>
#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *arg)
{
    json_t *list = arg;
    json_t *own = json_pack("{s:O}", "list", list);
    assert(json_integer_value(json_array_get(json_object_get(own, "list"), 1)) == 2);
    json_decref(own);
    json_decref(list);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    json_object_seed(1);
    json_t *list = json_pack("[ii]", 1, 2);
    pthread_create(&thread, NULL, work, json_incref(list));
    work(list);
    pthread_join(thread, NULL);
    return 0;
}
