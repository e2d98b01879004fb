/* path.c - finds what paths lead to, as Linux does: part by part, through links, and only
 * through folders that may be searched. */
#include "os/fs/path.h"
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/state.h"

struct walk {
    struct os_place *place;
    int how;   /* OS_FOLLOW ... */
    int links; /* that were followed */
    int depth;
    const char *rest[OS_LINKS_MAX + 1]; /* of the path, and of the links that are in it */
};

size_t os_path_size(const char *path)
{
    size_t length = 0;
    while (path[length])
        length++;
    return length + 1;
}

static bool is_dots(const char *name, size_t length)
{
    return name[0] == '.' && (length == 1 || (length == 2 && name[1] == '.'));
}

bool os_is_special(const struct os_place *place)
{
    return !place->name || is_dots(place->name, place->length);
}

static struct os_node *step(struct os_node *folder, const char *name, size_t length)
{
    if (is_dots(name, length))
        return length == 1 ? folder : folder->parent;
    return os_entry(folder, name, length);
}

static struct os_node *start(long at, const char *path)
{
    if (*path == '/')
        return os_node(1);
    if ((int)at == OS_AT_CWD)
        return os_files()->folder;
    const struct os_open *open = os_open_any((int)at);
    return open ? open->node : NULL;
}

/* Skips slashes; at the end of a link, the path that it was in goes on. */
static bool is_at_end(struct walk *walk)
{
    for (;; walk->depth--) {
        const char **rest = &walk->rest[walk->depth];
        while (**rest == '/')
            (*rest)++;
        if (**rest || !walk->depth)
            return !**rest;
    }
}

static long follow(struct walk *walk)
{
    struct os_place *place = walk->place;
    const char *target = (const char *)place->node->data;
    if (walk->links++ == OS_LINKS_MAX)
        return -ELOOP_;
    if (*walk->rest[walk->depth])
        walk->depth++;
    walk->rest[walk->depth] = target;
    place->node = *target == '/' ? os_node(1) : place->parent;
    place->name = NULL;
    return 0;
}

static long take_part(struct walk *walk)
{
    struct os_place *place = walk->place;
    const char *text = walk->rest[walk->depth];
    size_t length = 0;
    while (text[length] && text[length] != '/')
        length++;
    if (!place->node)
        return -ENOENT_;
    if (place->node->kind != OS_FOLDER)
        return -ENOTDIR_;
    if (!os_may(place->node, OS_MAY_SEARCH))
        return -EACCES_;
    if (length > OS_NAME_MAX)
        return -ENAMETOOLONG_;
    walk->rest[walk->depth] += length;
    bool last = is_at_end(walk);
    place->slash |= last && text[length];
    if (place->slash && walk->how & OS_CREATE)
        return -EISDIR_;
    place->parent = place->node;
    place->name = text;
    place->length = length;
    place->node = step(place->node, text, length);
    if (!place->node || place->node->kind != OS_LINK)
        return 0;
    bool stays = walk->how & OS_NAME || !(walk->how & OS_FOLLOW || place->slash);
    return last && stays ? 0 : follow(walk);
}

long os_find(long at, const char *path, int how, struct os_place *place)
{
    if (!*path)
        return -ENOENT_;
    struct os_node *node = start(at, path);
    if (!node)
        return -EBADF_;
    struct walk walk;
    walk.place = place;
    walk.how = how;
    walk.links = walk.depth = 0;
    walk.rest[0] = path;
    *place = (struct os_place){.parent = node, .node = node};
    long error = 0;
    while (!error && !is_at_end(&walk))
        error = take_part(&walk);
    node = place->node;
    if (!error && place->slash && !(how & OS_NAME) && node && node->kind != OS_FOLDER)
        return -ENOTDIR_;
    return error;
}

long os_may_create(const struct os_place *place)
{
    if (place->node)
        return -EEXIST_;
    if (!place->parent->links) /* the folder was removed */
        return -ENOENT_;
    return os_may(place->parent, OS_MAY_WRITE | OS_MAY_SEARCH) ? 0 : -EACCES_;
}

long os_find_node(long at, const char *path, long flags, struct os_node **node)
{
    struct os_place place;
    if (!path || (flags & OS_AT_EMPTY_PATH && !*path)) {
        const struct os_open *open = os_open_any((int)at);
        bool current = path && (int)at == OS_AT_CWD;
        *node = current ? os_files()->folder : open ? open->node : NULL;
        return *node ? 0 : -EBADF_;
    }
    long error = os_find(at, path, flags & OS_AT_NOFOLLOW ? OS_STAY : OS_FOLLOW, &place);
    *node = error ? NULL : place.node;
    return error ? error : place.node ? 0 : -ENOENT_;
}
