/* fifo.c - opens pipes that have names.
 *
 * Who opens one side counts as a reader or writer at once, and waits until somebody has opened
 * the other side, also if that one has closed it again meanwhile.  All who do so without the
 * other side being there share a rendezvous, which the first who opens it ends.  A reader that
 * does not wait (O_NONBLOCK) keeps it: until it has met a writer, poll does not call the pipe's
 * end for it. */
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/pipe.h"
#include "os/fs/poll.h"
#include "os/process.h"
#include "os/state.h"

static void meet(struct os_node *node)
{
    if (node->rendezvous)
        node->rendezvous->met = 1;
    node->rendezvous = NULL;
}

static void join(struct os_open *open)
{
    struct os_node *node = open->node;
    if (!node->rendezvous) {
        node->rendezvous = __divm_obj_make(sizeof *node->rendezvous, VM_OBJ_KERNEL);
        *node->rendezvous = (struct os_rendezvous){0};
    }
    node->rendezvous->uses++;
    open->rendezvous = node->rendezvous;
}

void os_fifo_leave(struct os_open *open)
{
    struct os_rendezvous *rendezvous = open->rendezvous;
    open->rendezvous = NULL;
    if (!rendezvous || --rendezvous->uses)
        return;
    if (open->node->rendezvous == rendezvous)
        open->node->rendezvous = NULL;
    __divm_obj_free(rendezvous, VM_OBJ_KERNEL);
}

/* Waits for the other side; false if a signal or a request to cancel came first. */
static bool wait(struct os_open *open)
{
    open->flags |= OS_OPENING;
    open->opener = os_self();
    bool came = os_node_wait(open->node, &open->rendezvous->met) || open->rendezvous->met;
    open->flags &= ~OS_OPENING;
    open->offset = 0;
    os_fifo_leave(open);
    return came;
}

long os_fifo_open(struct os_node *node, int flags, long close_on_exec)
{
    bool reads = flags & OS_READ, writes = flags & OS_WRITE, waits = !(flags & OS_NONBLOCK);
    bool missing = reads != writes && !(reads ? node->writers : node->readers);
    if (!reads && !writes)
        return -EINVAL_;
    if (missing && writes && !waits)
        return -ENXIO_;
    long fd = os_open_node(node, flags, close_on_exec);
    if (fd < 0)
        return fd;
    struct os_open *open = os_open_of(fd);
    if (!missing)
        meet(node);
    else
        join(open);
    if (!missing || !waits || wait(open))
        return fd;
    os_close(fd);
    return -EINTR_;
}

void os_fifo_abandon(const int *word)
{
    const struct os_thread *self = os_self();
    const struct os_files *files = os_own(self)->files;
    for (long fd = 0; files && word; fd++) {
        if ((size_t)fd >= (__divm_obj_size(files) - sizeof *files) / sizeof files->fd[0])
            return;
        const struct os_open *open = files->fd[fd].open;
        if (open && open->flags & OS_OPENING && open->opener == self &&
            &open->rendezvous->met == word)
            os_close_taken(fd);
    }
}
