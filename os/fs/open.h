/* open.h - open files, which descriptors share after dup, and the descriptors of a process.
 *
 * In the kernel, unless it says otherwise.  Results are negative error numbers where they can
 * be. */
#ifndef OS_FS_OPEN_H
#define OS_FS_OPEN_H

#include "os/fs/node.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/wait.h"

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
struct os_rendezvous {
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
    struct os_rendezvous *rendezvous; /* NULL if the other side was there */
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

struct os_files *os_files(void);
/* Does, from user mode, the action of a system call on files. */
OS_INLINE void os_act_files(void)
{
    os_enter();
    os_files();
    os_act(VM_ACT_SYSCALL, os_state()->nodes, sizeof(struct os_node *));
}

/* file.c: returns the open file of a descriptor, or NULL; os_open_any has those of O_PATH,
 * too. */
struct os_open *os_open_of(long fd);
struct os_open *os_open_any(long fd);
bool os_has_descriptor(void); /* that is free */
long os_open_node(struct os_node *node, int flags, long close_on_exec);
long os_close(long fd);
void os_close_taken(long fd); /* also of one that is not open yet */
/* os_open_install: gives an open file that has one more use than descriptors a descriptor;
 * os_open_release: takes that use away. */
long os_open_install(struct os_open *open, long close_on_exec);
void os_open_release(struct os_open *open);
/* os_files_copy: the files of a child.  os_files_close: the end of the calling process's. */
struct os_files *os_files_copy(const struct os_files *from);
void os_files_close(void);

#endif
