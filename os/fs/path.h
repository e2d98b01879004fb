/* path.h - finds the nodes that paths lead to.
 *
 * In the kernel, unless it says otherwise. */
#ifndef OS_FS_PATH_H
#define OS_FS_PATH_H

#include "os/fs/node.h"

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
/* Finds the node of a path.  flags: OS_AT_NOFOLLOW, and OS_AT_EMPTY_PATH, with which an empty
 * path, or NULL, means the descriptor itself. */
enum { OS_AT_NOFOLLOW = 0x100, OS_AT_EMPTY_PATH = 0x1000 };
long os_find_node(long at, const char *path, long flags, struct os_node **node);
/* Is it no name of an entry: the root, "." or ".."? */
bool os_is_special(const struct os_place *place);
/* Returns 0 if a name can be made where os_find with OS_NAME or OS_CREATE has looked for it. */
long os_may_create(const struct os_place *place);

/* From user mode, so that races on it are found: a path of the program's for the kernel, which
 * stays as long as the calling function's frame; NULL stays. */
size_t os_path_size(const char *path);
#define OS_PATH_COPY(path)                                                                 \
    ((path) ? (const char *)__builtin_memcpy(__builtin_alloca(os_path_size(path)), (path), \
                                             os_path_size(path))                           \
            : NULL)

/* From user mode. */
long os_current_folder(char *buffer, size_t size);

#endif
