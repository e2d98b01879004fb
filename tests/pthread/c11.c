// C11's threads, mutexes, condition variables, once and storage.  Result: correct.
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t ready;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int state, times;
static thread_local int mine = 5;

static void init(void)
{
    times++;
}

static int work(void *arg)
{
    call_once(&once, init);
    tss_set(key, arg);
    mine++;
    mtx_lock(&lock);
    state = 1;
    cnd_signal(&ready);
    mtx_unlock(&lock);
    assert(tss_get(key) == arg && mine == 6);
    return 42;
}

int main(void)
{
    thrd_t t;
    int result, value;
    assert(mtx_init(&lock, mtx_recursive) == thrd_success);
    assert(cnd_init(&ready) == thrd_success);
    assert(tss_create(&key, NULL) == thrd_success);
    assert(thrd_create(&t, work, &value) == thrd_success);
    assert(!thrd_equal(t, thrd_current()));
    call_once(&once, init);
    mtx_lock(&lock);
    assert(mtx_trylock(&lock) == thrd_success);
    mtx_unlock(&lock);
    while (state == 0)
        cnd_wait(&ready, &lock);
    mtx_unlock(&lock);
    assert(thrd_join(t, &result) == thrd_success && result == 42);
    assert(times == 1 && mine == 5 && tss_get(key) == NULL);
    tss_delete(key);
    cnd_destroy(&ready);
    mtx_destroy(&lock);
    return 0;
}
