// A key is used after it was deleted.  Result: pthread misuse.
#include <pthread.h>

int main(void)
{
    pthread_key_t key;
    pthread_key_create(&key, NULL);
    pthread_key_delete(key);
    pthread_setspecific(key, &key);
    return 0;
}
