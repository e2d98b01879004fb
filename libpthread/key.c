/* key.c - thread-specific data.
 *
 * The table of keys belongs to all threads: making and deleting keys are visible
 * actions.  The values belong to their threads, and are not; but where keys are deleted,
 * it is seen whether there is still a key, and to delete it takes the values away. */
#include "libpthread/internal.h"
#include "os/commute.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"

struct key {
    void (*destructor)(void *);
    int used;
    int unused;
};

static struct key *keys; /* a kernel object, up to the last key that is used */

__attribute__((weak)) const int __pthread_deletes_keys = 0;

static size_t key_count(void)
{
    return keys ? __divm_obj_size(keys) / sizeof *keys : 0;
}

static void *resize(void *array, size_t size)
{
    if (array && size) {
        __divm_obj_resize(array, size);
    } else if (array) {
        __divm_obj_free(array, VM_OBJ_KERNEL);
        array = NULL;
    } else if (size) {
        array = __divm_obj_make(size, VM_OBJ_KERNEL);
    }
    return array;
}

static void *get(const struct os_thread *thread, size_t key)
{
    void **value = thread->more ? thread->more->keys : NULL;
    return value && key < __divm_obj_size(value) / sizeof *value ? value[key] : NULL;
}

/* Sets a value.  The array goes up to the last value that is not NULL. */
static void set(struct os_thread *thread, size_t key, void *new)
{
    if (!new && !thread->more)
        return;
    struct os_more *more = os_more(thread);
    void **value = more->keys;
    size_t count = value ? __divm_obj_size(value) / sizeof *value : 0;
    if (key < count)
        value[key] = new;
    if (new && key >= count) {
        more->keys = value = resize(value, (key + 1) * sizeof *value);
        for (size_t k = count; k < key; k++)
            value[k] = NULL;
        value[key] = new;
    }
    size_t used = count;
    while (!new && used && !value[used - 1])
        used--;
    if (used < count)
        more->keys = resize(value, used * sizeof *value);
    if (used == 0)
        os_less(thread);
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    os_enter();
    os_act(VM_ACT_KEY, &keys, sizeof keys);
    size_t count = key_count(), place = 0;
    while (place < count && keys[place].used)
        place++;
    bool full = place == PTHREAD_KEYS_MAX;
    if (!full) {
        if (place == count)
            keys = resize(keys, (count + 1) * sizeof *keys);
        keys[place] = (struct key){.destructor = destructor, .used = 1};
    }
    os_leave();
    if (full)
        return EAGAIN;
    *key = (pthread_key_t)place;
    return 0;
}

static void check(pthread_key_t key, const char *message)
{
    if (key >= key_count() || !keys[key].used)
        misuse(message);
}

/* Removes a key, for pthread_key_delete, which is linked where it is called. */
void __pthread_key_remove(pthread_key_t key)
{
    struct os_state *state = os_state();
    os_enter();
    os_act(VM_ACT_KEY, &keys, sizeof keys);
    check(key, "pthread_key_delete: there is no such key");
    os_opaque();
    for (int k = 0; k < state->count; k++)
        set(state->thread[k], key, NULL);
    keys[key] = (struct key){0};
    size_t count = key_count(), used = count;
    while (used && !keys[used - 1].used)
        used--;
    if (used < count)
        keys = resize(keys, used * sizeof *keys);
    os_leave();
}

/* Enters the kernel to use keys. */
OS_INLINE struct os_thread *enter(void)
{
    struct os_thread *self = os_enter();
    if (__pthread_deletes_keys)
        os_act(VM_ACT_KEY, &keys, sizeof keys);
    return self;
}

void *pthread_getspecific(pthread_key_t key)
{
    struct os_thread *self = enter();
    check(key, "pthread_getspecific: there is no such key");
    void *value = get(self, key);
    os_leave();
    return value;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    struct os_thread *self = enter();
    check(key, "pthread_setspecific: there is no such key");
    set(self, key, (void *)value);
    os_leave();
    return 0;
}

struct taken {
    void (*destructor)(void *);
    void *value;
};

/* Which keys are done, in registers: an array would be an object of each thread that ends. */
struct done {
    uint64_t low, high;
};

/* Has a key that is not done yet a value and a destructor? */
OS_INLINE bool is_left(const struct os_thread *self, struct done done, size_t key)
{
    uint64_t bits = key < 64 ? done.low : done.high;
    return !(bits >> key % 64 & 1) && keys[key].destructor && get(self, key);
}

/* Takes one of a thread's values with a destructor: any one whose key is not done yet. */
OS_INLINE bool take(struct os_thread *self, struct done *done, struct taken *taken)
{
    size_t key = 0;
    int n = 0;
    for (size_t k = 0, count = key_count(); k < count; k++)
        if (is_left(self, *done, k)) {
            key = k;
            n++;
        }
    if (n == 0)
        return false;
    if (n > 1) /* counted from the last one */
        for (int chosen = __divm_choose(n, NULL); chosen > 0;)
            chosen -= is_left(self, *done, --key);
    *(key < 64 ? &done->low : &done->high) |= (uint64_t)1 << key % 64;
    *taken = (struct taken){keys[key].destructor, get(self, key)};
    set(self, key, NULL);
    return true;
}

_Static_assert(PTHREAD_KEYS_MAX <= 128, "struct done has 128 bits");

/* Calls the destructors of the values that a thread has now; false if it has none. */
static bool run_round(void)
{
    struct done done = {0};
    for (bool any = false;; any = true) {
        struct taken taken;
        struct os_thread *self = enter();
        bool found = take(self, &done, &taken);
        os_leave();
        if (!found)
            return any;
        taken.destructor(taken.value);
    }
}

/* POSIX leaves open in which order the destructors are called, so every order is tried. */
void __pthread_run_destructors(void)
{
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
        if (!run_round())
            return;
}
