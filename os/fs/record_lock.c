/* record_lock.c - fcntl's locks of parts of a file, which a process has against others.
 *
 * A node lists them, sorted, those that are waited for too: so that who waits is known, and
 * a circle of processes is refused (EDEADLK), as POSIX says.  Closing any descriptor of a
 * file gives all its locks back. */
#include "os/fs/record_lock.h"
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/poll.h"
#include "os/mode.h"
#include "os/process.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/thread.h"

enum { READ, WRITE, UNLOCK };    /* F_RDLCK ... */
enum { GET = 5, SET, SET_WAIT }; /* F_GETLK ... */
enum { BOTTOM, HERE, END };      /* SEEK_SET ... */

/* Parts end before `end`. */
struct os_record_lock {
    int process, type;
    long begin, end;
    long waits;
};

/* struct flock */
struct request {
    short type, whence;
    long start, length;
    int process;
};

static int own_number(void)
{
    const struct os_process *own = os_process(os_self());
    return own ? own->number : OS_PROCESS;
}

static size_t count_of(const struct os_node *node)
{
    return node->locks ? __divm_obj_size(node->locks) / sizeof *node->locks : 0;
}

static void set_count(struct os_node *node, size_t count)
{
    size_t size = count * sizeof *node->locks;
    if (!count && node->locks)
        __divm_obj_free(node->locks, VM_OBJ_KERNEL);
    if (!count)
        node->locks = NULL;
    else if (node->locks)
        __divm_obj_resize(node->locks, size);
    else
        node->locks = __divm_obj_make(size, VM_OBJ_KERNEL);
}

static bool is_before(const struct os_record_lock *a, const struct os_record_lock *b)
{
    if (a->begin != b->begin)
        return a->begin < b->begin;
    if (a->process != b->process)
        return a->process < b->process;
    return a->waits < b->waits;
}

static void add(struct os_node *node, struct os_record_lock lock)
{
    size_t place = count_of(node);
    set_count(node, place + 1);
    for (; place && is_before(&lock, &node->locks[place - 1]); place--)
        node->locks[place] = node->locks[place - 1];
    node->locks[place] = lock;
}

static void remove(struct os_node *node, size_t place)
{
    size_t count = count_of(node);
    for (; place + 1 < count; place++)
        node->locks[place] = node->locks[place + 1];
    set_count(node, count - 1);
}

/* Does a lock that somebody else has stand against this one? */
static bool is_against(const struct os_record_lock *a, const struct os_record_lock *lock)
{
    return !a->waits && a->process != lock->process && a->begin < lock->end &&
           lock->begin < a->end && (a->type == WRITE || lock->type == WRITE);
}

static const struct os_record_lock *first_against(const struct os_node *node,
                                                  const struct os_record_lock *lock)
{
    for (size_t k = 0, count = count_of(node); k < count; k++)
        if (is_against(&node->locks[k], lock))
            return &node->locks[k];
    return NULL;
}

/* Gives back what the process has in this part; what it has beside the part stays. */
static void give_back(struct os_node *node, int process, long begin, long end)
{
    for (size_t k = count_of(node); k-- > 0;) {
        struct os_record_lock old = node->locks[k];
        if (old.waits || old.process != process || old.begin >= end || begin >= old.end)
            continue;
        remove(node, k);
        if (old.begin < begin)
            add(node, (struct os_record_lock){process, old.type, old.begin, begin, 0});
        if (end < old.end)
            add(node, (struct os_record_lock){process, old.type, end, old.end, 0});
    }
}

/* Takes a lock; with those of the same kind that it touches, it becomes one lock. */
static void take(struct os_node *node, struct os_record_lock lock)
{
    give_back(node, lock.process, lock.begin, lock.end);
    for (size_t k = count_of(node); k-- > 0;) {
        const struct os_record_lock old = node->locks[k];
        if (old.waits || old.process != lock.process || old.type != lock.type ||
            old.begin > lock.end || lock.begin > old.end)
            continue;
        lock.begin = old.begin < lock.begin ? old.begin : lock.begin;
        lock.end = old.end > lock.end ? old.end : lock.end;
        remove(node, k);
    }
    add(node, lock);
}

/* Returns the process that stands against what this one waits for; 0 if it waits for
 * nothing. */
static int waits_for(int process)
{
    const struct os_state *state = os_state();
    size_t count = __divm_obj_size(state->nodes) / sizeof *state->nodes;
    for (size_t n = 0; n < count; n++) {
        const struct os_node *node = state->nodes[n];
        for (size_t k = 0; node && k < count_of(node); k++) {
            const struct os_record_lock *lock = &node->locks[k];
            const struct os_record_lock *other =
                lock->process == process && lock->waits ? first_against(node, lock) : NULL;
            if (other)
                return other->process;
        }
    }
    return 0;
}

static bool is_circle(int process, int holder)
{
    for (size_t k = 0; holder && holder != process && k < os_process_count(); k++)
        holder = waits_for(holder);
    return holder == process;
}

static void stop_waiting(struct os_node *node, const struct os_record_lock *lock)
{
    for (size_t k = 0; k < count_of(node); k++) {
        const struct os_record_lock *old = &node->locks[k];
        if (old->waits && old->process == lock->process && old->begin == lock->begin &&
            old->end == lock->end && old->type == lock->type) {
            remove(node, k);
            return;
        }
    }
}

static long set(long fd, struct os_record_lock lock, bool waits)
{
    struct os_node *node = os_open_of(fd)->node;
    if (lock.type == UNLOCK) {
        give_back(node, lock.process, lock.begin, lock.end);
        os_poll_wake();
        return 0;
    }
    const struct os_record_lock *other;
    while ((other = first_against(node, &lock))) {
        if (!waits)
            return -EAGAIN_;
        if (is_circle(lock.process, other->process))
            return -EDEADLK_;
        struct os_record_lock waiting = lock;
        waiting.waits = 1;
        add(node, waiting);
        bool interrupted = os_poll_wait(NULL);
        if (!os_open_of(fd) || os_open_of(fd)->node != node) /* closed meanwhile */
            return -EBADF_;
        stop_waiting(node, &waiting);
        if (interrupted)
            return -EINTR_;
    }
    take(node, lock);
    os_poll_wake(); /* it may have been another kind before */
    return 0;
}

static void get(const struct os_node *node, const struct os_record_lock *lock,
                struct request *request)
{
    const struct os_record_lock *other = first_against(node, lock);
    if (!other) {
        request->type = UNLOCK;
        return;
    }
    *request =
        (struct request){.type = (short)other->type,
                         .whence = BOTTOM,
                         .start = other->begin,
                         .length = other->end == INT64_MAX ? 0 : other->end - other->begin,
                         .process = other->process};
}

/* Finds the part that is meant, and whether the file can be locked so. */
static long understand(const struct os_open *open, const struct request *request,
                       struct os_record_lock *lock)
{
    const int needed[] = {OS_READ, OS_WRITE, 0};
    if (request->type < READ || request->type > UNLOCK || request->whence < BOTTOM ||
        request->whence > END)
        return -EINVAL_;
    long base = request->whence == HERE  ? open->offset
                : request->whence == END ? (long)os_node_size(open->node)
                                         : 0;
    long begin, end, length = request->length;
    if (__builtin_add_overflow(base, request->start, &begin) ||
        __builtin_add_overflow(begin, length, &end))
        return -EOVERFLOW_;
    *lock = (struct os_record_lock){.process = own_number(),
                                    .type = request->type,
                                    .begin = length < 0 ? end : begin,
                                    .end = length < 0 ? begin
                                           : length   ? end
                                                      : INT64_MAX};
    if (lock->begin < 0)
        return -EINVAL_;
    return (open->flags & needed[request->type]) == needed[request->type] ? 0 : -EBADF_;
}

static long do_lock(long fd, long command, struct request *request)
{
    struct os_record_lock lock;
    const struct os_open *open = os_open_of(fd);
    if (!open)
        return -EBADF_;
    long error = understand(open, request, &lock);
    if (command == GET && (!error || error == -EBADF_)) {
        if (lock.type == UNLOCK)
            return -EINVAL_;
        get(open->node, &lock, request);
        return 0;
    }
    return error ? error : set(fd, lock, command == SET_WAIT);
}

long os_record_lock_syscall(long fd, long command, void *argument)
{
    struct request request = *(const struct request *)argument;
    long result;
    do {
        os_act_files();
        result = do_lock(fd, command, &request);
        os_leave();
    } while (result == -EINTR_ && os_signal_take() && !os_is_cancelled(os_self()));
    if (command == GET && result == 0)
        *(struct request *)argument = request;
    return result;
}

void os_record_locks_leave(struct os_node *node)
{
    if (!node->locks)
        return;
    int process = own_number();
    for (size_t k = count_of(node); k-- > 0;)
        if (node->locks[k].process == process)
            remove(node, k);
    os_poll_wake();
}
