/* file.h - what the kernel keeps of files; all of it VM_OBJ_KERNEL objects, made when
 * the first call needs them.
 *
 * A node is a file, folder, pipe or device; it goes when no folder and no descriptor
 * has it.  Its number is the smallest free one, so that files that come and go leave
 * no mark.  An open file is what descriptors share after dup. */
#ifndef OS_FILE_H
#define OS_FILE_H

#include "os/os.h"

enum { /* errno.h is libc's */
       EPERM_ = 1,
       ENOENT_ = 2,
       ESRCH_ = 3,
       EINTR_ = 4,
       ENXIO_ = 6,
       EBADF_ = 9,
       EAGAIN_ = 11,
       ENOMEM_ = 12,
       EACCES_ = 13,
       EFAULT_ = 14,
       EBUSY_ = 16,
       EEXIST_ = 17,
       EXDEV_ = 18,
       ENODEV_ = 19,
       ENOTDIR_ = 20,
       EISDIR_ = 21,
       EINVAL_ = 22,
       EMFILE_ = 24,
       ENOTTY_ = 25,
       ESPIPE_ = 29,
       EPIPE_ = 32,
       ERANGE_ = 34,
       ENAMETOOLONG_ = 36,
       ENOTEMPTY_ = 39,
       ELOOP_ = 40,
       ENOTSOCK_ = 88,
       EMSGSIZE_ = 90,
       EOPNOTSUPP_ = 95,
       ETIMEDOUT_ = 110,
};

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
    int number;                   /* place in os_state.nodes, from 1 */
    int mode;                     /* permissions, 07777 */
    int links;                    /* names that it has */
    int opens;                    /* open files that have it */
    int maps;                     /* shared mappings, of a file that must not change then */
    int currents;                 /* processes whose current folder it is, and removed
                                     folders that were in it */
    int readers, writers;         /* of a pipe: open files for each */
    int can_read, can_write;      /* of a pipe or event: not 0 if so; waited for */
    uint64_t value;               /* of an event */
    unsigned char *data;          /* NULL while empty; of a folder: struct os_entry[]; of a
                                     link: where it leads to, with a 0 at the end */
    struct os_node *parent;       /* of a folder; the root is its own */
    struct os_socket *socket;     /* of a socket, until it is closed */
    struct os_meeting *meeting;   /* of a pipe with a name: fifo.c */
    struct os_record_lock *locks; /* os/record_lock.c; made if any */
};

struct os_entry {
    struct os_node *node;
    char *name;
};

/* OS_PLACE: O_PATH, which says where a file is and cannot be used otherwise.  OS_OPENING: the
 * call that makes it waits for the other side of a pipe; only the descriptor is taken. */
enum {
    OS_READ = 1,
    OS_WRITE = 2,
    OS_APPEND = 4,
    OS_NONBLOCK = 8,
    OS_SEMAPHORE = 16,
    OS_PLACE = 32,
    OS_OPENING = 64
};

/* Opens of one side of a pipe with a name for which the other side was not there. */
struct os_meeting {
    int met; /* 1 as soon as it has come; waited for */
    int uses;
};

struct os_open {
    struct os_node *node;
    int flags; /* OS_READ ... */
    int uses;  /* descriptors */
    union {
        long offset;
        const struct os_thread *opener; /* OS_OPENING: who waits */
    };
    struct os_meeting *meeting; /* NULL if the other side was there */
};

struct os_descriptor {
    struct os_open *open; /* NULL: free */
    long close_on_exec;   /* kept */
};

enum { OS_FD_MAX = 1024 };
struct os_files {
    struct os_node *folder;    /* the current one */
    int mask;                  /* umask */
    struct os_descriptor fd[]; /* up to the last one that is open */
};

/* All below: in the kernel.  Results are negative error numbers where they can be. */
struct os_files *os_files(void);
/* From user mode: the action of a system call on files. */
OS_INLINE void os_act_files(void)
{
    os_enter();
    os_files();
    os_act(VM_ACT_SYSCALL, os_state()->nodes, sizeof(struct os_node *));
}

/* capture.c: the host's files, as the host of the machine gave them. */
void os_capture(void);
const struct vm_file *os_input(void); /* standard input, or NULL */

/* file.c: the open file of a descriptor, or NULL; os_open_any has those of O_PATH, too. */
struct os_open *os_open_of(long fd);
struct os_open *os_open_any(long fd);
bool os_has_descriptor(void); /* that is free */
long os_open_node(struct os_node *node, int flags, long close_on_exec);
long os_close(long fd);
void os_close_taken(long fd); /* also of one that is not open yet */
/* An open file that has one more use than descriptors gets a descriptor, or loses that use. */
long os_open_install(struct os_open *open, long close_on_exec);
void os_open_release(struct os_open *open);
/* For a child; and the end of the calling process's. */
struct os_files *os_files_copy(const struct os_files *from);
void os_files_close(void);

/* node.c */
size_t os_node_size(const struct os_node *node);
void os_node_resize(struct os_node *node, size_t size);
/* Its bytes are about to change: refused while the file is mapped with MAP_SHARED. */
void os_node_changes(const struct os_node *node);
struct os_node *os_node_make(enum os_node_kind kind, int mode);
void os_node_unused(struct os_node *node); /* frees it if it is */
struct os_node *os_node(int number);

/* path.c: finds the node of a path from `at` (a descriptor or OS_AT_CWD).  The
 * name is the last part, in the folder `parent`; the node is NULL if there is none.  Links on
 * the way are followed; `how` says what is done with one that is the last part. */
enum { OS_AT_CWD = -100, OS_NAME_MAX = 255, OS_PATH_MAX = 4096, OS_LINKS_MAX = 40 };
enum {
    OS_STAY = 0,   /* the link is what is looked for, unless a slash comes after it */
    OS_FOLLOW = 1, /* followed */
    OS_NAME = 2,   /* the name is looked for, to be made or removed */
    OS_CREATE = 4  /* a file is to be made if there is none: no slash may come after it */
};
struct os_place {
    struct os_node *parent, *node;
    const char *name; /* NULL: the path ends with no name */
    size_t length;
    bool slash; /* one comes after the last part */
};
long os_find(long at, const char *path, int how, struct os_place *place);
/* What is there; flags: OS_AT_NOFOLLOW, and OS_AT_EMPTY_PATH, with which an empty path means
 * the descriptor itself, as does NULL. */
enum { OS_AT_NOFOLLOW = 0x100, OS_AT_EMPTY_PATH = 0x1000 };
long os_find_node(long at, const char *path, long flags, struct os_node **node);
/* No name of an entry: the root, "." or "..". */
bool os_is_special(const struct os_place *place);
/* 0 if a name can be made where os_find with OS_NAME or OS_CREATE has looked for it. */
long os_may_create(const struct os_place *place);

/* All files belong to the user: only the owner's permissions say what may be done. */
enum { OS_MAY_SEARCH = 1, OS_MAY_WRITE = 2, OS_MAY_READ = 4 };
enum { OS_USER = 1000 };
/* Nobody can give a file away; -1 leaves the user or group as it is. */
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

/* From user mode, so that races on it are found: a path of the program's for the kernel, which
 * stays as long as the calling function's frame; NULL stays. */
size_t os_path_size(const char *path);
#define OS_PATH_COPY(path)                                                                 \
    ((path) ? (const char *)__builtin_memcpy(__builtin_alloca(os_path_size(path)), (path), \
                                             os_path_size(path))                           \
            : NULL)
/* folder.c */
void os_enter_name(struct os_node *folder, const char *name, size_t length,
                   struct os_node *node);
void os_remove_name(struct os_node *folder, const struct os_node *node, const char *name,
                    size_t length);
size_t os_entry_count(const struct os_node *folder);
struct os_node *os_entry(const struct os_node *folder, const char *name, size_t length);
/* From user mode. */
long os_current_folder(char *buffer, size_t size);

/* pipe.c: moves bytes from or to a buffer of the kernel's; may wait, or be
 * interrupted. */
void os_pipe_refresh(struct os_node *node);
long os_pipe_read(struct os_open *open, unsigned char *buffer, size_t size);
long os_pipe_write(struct os_open *open, const unsigned char *buffer, size_t size);

/* fifo.c: opens a pipe that has a name, where it may wait for the other side, or be
 * interrupted; and an open file of one goes. */
long os_fifo_open(struct os_node *node, int flags, long close_on_exec);
void os_fifo_leave(struct os_open *open);

/* Like a pipe's, with what a socket's calls say in addition; os/socket.c, linked where
 * there are sockets.  In os_message: MSG_* flags, and an address of struct sockaddr. */
enum { OS_RIGHTS_MAX = 253 };
struct os_rights {
    size_t count; /* of descriptors to be sent, or that were received */
    size_t room;  /* to receive */
    int close_on_exec;
    int truncated; /* there were more */
    int fd[OS_RIGHTS_MAX];
};
struct os_message {
    int flags;
    int truncated;
    size_t size;
    struct os_rights *rights; /* NULL: neither sent nor asked for */
    unsigned char address[110];
};
long os_socket_read(struct os_open *open, unsigned char *buffer, size_t size,
                    struct os_message *message);
long os_socket_write(struct os_open *open, const unsigned char *buffer, size_t size,
                     const struct os_message *message);
void os_socket_close(struct os_node *node);
int os_socket_look(const struct os_node *node);     /* OS_POLL_* */
size_t os_socket_there(const struct os_node *node); /* bytes to be read; FIONREAD */

/* poll.c: who polls looks again; to be called when something has changed. */
void os_poll_wake(void);
/* Waits for that; true if a signal or a request to cancel came.  With a mask of its own for
 * signals (os_signal_mask) a call does not go on after one, and one may be there already. */
bool os_poll_wait(const uint64_t *mask);
/* Nothing was found: is it to wait? */
bool os_poll_waits(long milliseconds, const uint64_t *mask);
/* Stops until the word is not 0; false if a signal or a request to cancel came. */
bool os_node_wait(struct os_node *node, const int *word);
enum {
    OS_POLL_IN = 1,
    OS_POLL_OUT = 4,
    OS_POLL_ERR = 8,
    OS_POLL_HUP = 16,
    OS_POLL_NVAL = 32,
    OS_POLL_RDHUP = 0x2000, /* of a stream socket: nothing more will come */
    OS_POLL_ALL = OS_POLL_IN | OS_POLL_OUT | OS_POLL_ERR | OS_POLL_HUP | OS_POLL_RDHUP
};
/* Something came, or room was made: before what is waited for is refreshed.  epoll.c, for
 * who polls changes. */
void os_poll_edge(const struct os_node *node, int events);
/* epoll.c: no descriptor has it any more. */
void os_poll_forget(const struct os_open *open);
int os_look(const struct os_open *open, int wanted); /* NULL: OS_POLL_NVAL */

/* record_lock.c: the calling process has closed a descriptor of this.  fcntl's calls, from
 * user mode. */
void os_record_locks_leave(struct os_node *node);
long os_record_lock_syscall(long fd, long command, void *argument);

/* From user mode, with a message if it is a socket's call. */
long os_transfer(bool writes, long fd, void *data, size_t size, struct os_message *message);
long os_transfer_vector(bool writes, long fd, const void *vector, long count,
                        struct os_message *message);

/* System calls, from user mode. */
long os_epoll_make(long flags);
long os_socket_make(long domain, long type, long protocol);
long os_socket_make_pair(long domain, long type, long protocol, int *fd);
long os_socket_syscall(long number, long a, long b, long c, long d, long e, long f);
long os_epoll_syscall(long number, long a, long b, long c, long d, long e);
long os_file_syscall(long number, long a, long b, long c, long d);
bool os_is_request(long request); /* of ioctl, that there is */
long os_ioctl_syscall(long fd, long request, int *argument);
long os_path_syscall(long number, long a, long b, long c, long d, long e);
long os_pipe_syscall(long number, long a, long b);
long os_poll(void *list, size_t count, long milliseconds, const uint64_t *mask);
long os_select(long count, uint64_t *read, uint64_t *write, uint64_t *except, bool waits,
               const uint64_t *mask);
long os_memory_syscall(long number, long a, long b, long c, long d, long e, long f);

#endif
