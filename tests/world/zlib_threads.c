/* Two threads use zlib at the same time, each with a stream of its own: correct. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <zlib.h>

static void *work(void *arg)
{
    const char *text = arg;
    unsigned char packed[64];
    char back[32];
    uLongf size = sizeof packed, length = sizeof back;
    assert(compress2(packed, &size, (const Bytef *)text, strlen(text) + 1, 1) == Z_OK);
    assert(uncompress((Bytef *)back, &length, packed, size) == Z_OK);
    assert(!strcmp(back, text) && length == strlen(text) + 1);
    assert(crc32(0, (const Bytef *)text, 1) == crc32(0, (const Bytef *)back, 1));
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, "abababababababab");
    work("hello, hello, hello");
    pthread_join(thread, NULL);
    return 0;
}
