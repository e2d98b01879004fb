/* node.h - files, folders, pipes and devices, and the entries of folders.
 *
 * A node goes when no folder and no descriptor has it.  Its number is the smallest free one, so
 * that files that come and go leave no mark.  All of it is VM_OBJ_KERNEL objects, made when the
 * first call needs them; in the kernel. */
#ifndef OS_FS_NODE_H
#define OS_FS_NODE_H

#include "os/error_number.h"
#include "os/state.h"

enum os_node_kind {
    OS_FILE,
    OS_FOLDER,
    OS_LINK,
    OS_PIPE,
    OS_EVENT,
    OS_SOCKET,
    OS_EPOLL,
    OS_NULL,
    OS_ZERO,
    OS_RANDOM,
    OS_STDIN,
    OS_STDOUT,
    OS_STDERR
};

struct os_node {
    enum os_node_kind kind;
    int number;                       /* place in os_state.nodes, from 1 */
    int mode;                         /* permissions, 07777 */
    int links;                        /* names that it has */
    int opens;                        /* open files that have it */
    int maps;                         /* shared mappings, of a file that must not change then */
    int currents;                     /* processes whose current folder it is, and removed
                                         folders that were in it */
    int readers, writers;             /* of a pipe: open files for each */
    int can_read, can_write;          /* of a pipe or event: not 0 if so; waited for */
    uint64_t value;                   /* of an event */
    unsigned char *data;              /* NULL while empty; of a folder: struct os_entry[]; of a
                                         link: where it leads to, with a 0 at the end */
    struct os_node *parent;           /* of a folder; the root is its own */
    struct os_socket *socket;         /* of a socket, until it is closed */
    struct os_rendezvous *rendezvous; /* of a pipe with a name: fifo.c */
    struct os_record_lock *locks;     /* os/fs/record_lock.c; made if any */
};

struct os_entry {
    struct os_node *node;
    char *name;
};

/* node.c */
size_t os_node_size(const struct os_node *node);
void os_node_resize(struct os_node *node, size_t size);
/* Tells that a node's bytes are about to change: refused while the file is mapped with
 * MAP_SHARED. */
void os_node_changes(const struct os_node *node);
struct os_node *os_node_make(enum os_node_kind kind, int mode);
void os_node_unused(struct os_node *node); /* frees it if it is */
struct os_node *os_node(int number);

/* All files belong to the user: only the owner's permissions say what may be done. */
enum { OS_MAY_SEARCH = 1, OS_MAY_WRITE = 2, OS_MAY_READ = 4 };
enum { OS_USER = 1000 };
/* Changes the owner: nobody can give a file away; -1 leaves the user or group as it is. */
OS_INLINE long os_change_owner(long user, long group)
{
    bool stays = ((int)user == -1 || (int)user == OS_USER) &&
                 ((int)group == -1 || (int)group == OS_USER);
    return stays ? 0 : -EPERM_;
}
OS_INLINE bool os_may(const struct os_node *node, int wanted)
{
    return (node->mode >> 6 & wanted) == wanted;
}

/* folder.c */
void os_enter_name(struct os_node *folder, const char *name, size_t length,
                   struct os_node *node);
void os_remove_name(struct os_node *folder, const struct os_node *node, const char *name,
                    size_t length);
size_t os_entry_count(const struct os_node *folder);
struct os_node *os_entry(const struct os_node *folder, const char *name, size_t length);

#endif
