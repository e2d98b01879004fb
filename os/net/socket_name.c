/* socket_name.c - the addresses of sockets: paths and abstract names (AF_UNIX), and the
 * machine's own ones (AF_INET, 127.0.0.0/8). */
#include "os/error_number.h"
#include "os/fs/node.h"
#include "os/fs/open.h"
#include "os/fs/path.h"
#include "os/net/socket.h"
#include "os/state.h"

enum { PATH = 2, PORT = 2, HOST = 4, INET_SIZE = 16, FIRST_PORT = 32768, LAST_PORT = 60999 };

static int domain_of(const struct os_address *name)
{
    return name->size >= 2 ? name->bytes[0] | name->bytes[1] << 8 : UNSPEC;
}

static bool is_equal(const struct os_address *a, const struct os_address *b)
{
    bool equal = a->size == b->size;
    for (size_t k = 0; equal && k < a->size; k++)
        equal = a->bytes[k] == b->bytes[k];
    return equal;
}

static unsigned port_of(const struct os_address *name)
{
    return (unsigned)name->bytes[PORT] << 8 | name->bytes[PORT + 1];
}

static bool is_any_host(const struct os_address *name)
{
    const unsigned char *host = name->bytes + HOST;
    return !(host[0] | host[1] | host[2] | host[3]);
}

static bool is_host(const struct os_address *a, const struct os_address *b)
{
    bool equal = true;
    for (size_t k = HOST; k < HOST + 4; k++)
        equal &= a->bytes[k] == b->bytes[k];
    return equal || is_any_host(a) || is_any_host(b);
}

static bool is_path(const struct os_address *name)
{
    return domain_of(name) == UNIX && name->size > PATH && name->bytes[PATH];
}

static bool has_name(const struct os_socket *socket, const struct os_address *name)
{
    if (socket->name.size < PATH + 1)
        return false;
    if (domain_of(name) == UNIX)
        return is_equal(&socket->name, name);
    return port_of(&socket->name) == port_of(name) && is_host(&socket->name, name);
}

/* Returns the k-th socket that has this name; paths are found by the tree. */
static struct os_node *named(const struct os_socket *by, const struct os_address *name,
                             size_t k)
{
    const struct os_state *state = os_state();
    size_t count = __divm_obj_size(state->nodes) / sizeof *state->nodes;
    for (size_t i = 0; i < count; i++) {
        struct os_node *node = state->nodes[i];
        const struct os_socket *socket = node ? node->socket : NULL;
        if (socket && socket->domain == by->domain && socket->type == by->type &&
            (socket->type == DATAGRAM || !socket->connected) && has_name(socket, name) &&
            k-- == 0)
            return node;
    }
    return NULL;
}

static void path_of(const struct os_address *name, char path[NAME_MAX + 1])
{
    size_t length = name->size - PATH;
    __builtin_memcpy(path, name->bytes + PATH, length);
    path[length] = 0;
}

static long check(const struct os_socket *by, const struct os_address *name)
{
    if (name->size < 3)
        return -EINVAL_;
    if (domain_of(name) != by->domain)
        return -EAFNOSUPPORT_;
    return by->domain == INET && name->size < INET_SIZE ? -EINVAL_ : 0;
}

long os_socket_find(const struct os_socket *by, const struct os_address *name,
                    struct os_node **found)
{
    long error = check(by, name);
    if (error)
        return error;
    if (is_path(name)) {
        char path[NAME_MAX + 1];
        path_of(name, path);
        error = os_find_node(OS_AT_CWD, path, 0, found);
        if (error || !os_may(*found, OS_MAY_WRITE))
            return error ? error : -EACCES_;
        const struct os_socket *socket = (*found)->socket;
        return socket && socket->type == by->type ? 0 : -ECONNREFUSED_;
    }
    if (by->domain == INET && name->bytes[HOST] != 127 && !is_any_host(name))
        return -ENETUNREACH_;
    for (size_t k = 0; (*found = named(by, name, k)); k++)
        if (by->type == DATAGRAM || (*found)->socket->backlog)
            return 0;
    return -ECONNREFUSED_;
}

static bool is_in_use(const struct os_socket *by, const struct os_address *name)
{
    struct os_node *other;
    for (size_t k = 0; (other = named(by, name, k)); k++)
        if (!(other->socket->options & by->options & OPTION_REUSE) || other->socket->backlog)
            return true;
    return false;
}

static long bind_path(struct os_node *node, const struct os_address *name)
{
    char path[NAME_MAX + 1];
    struct os_place place;
    path_of(name, path);
    long error = os_find(OS_AT_CWD, path, OS_NAME, &place);
    if (!error)
        error = os_may_create(&place);
    if (error)
        return error == -EEXIST_ ? -EADDRINUSE_ : error;
    node->mode &= ~os_files()->mask;
    os_enter_name(place.parent, place.name, place.length, node);
    return 0;
}

/* Chooses the smallest free port. */
static long choose_port(const struct os_socket *socket, struct os_address *name)
{
    for (unsigned port = FIRST_PORT; port <= LAST_PORT; port++) {
        name->bytes[PORT] = (unsigned char)(port >> 8);
        name->bytes[PORT + 1] = (unsigned char)port;
        if (!named(socket, name, 0))
            return 0;
    }
    return -EADDRINUSE_;
}

long os_socket_bind(struct os_node *node, const struct os_address *name)
{
    struct os_socket *socket = node->socket;
    struct os_address chosen = *name;
    long error = check(socket, name);
    if (!error && socket->name.size)
        error = -EINVAL_;
    if (!error && socket->domain == INET && name->bytes[HOST] != 127 && !is_any_host(name))
        error = -EADDRNOTAVAIL_;
    if (!error && socket->domain == INET && port_of(name) == 0)
        error = choose_port(socket, &chosen);
    if (!error && is_path(name))
        error = bind_path(node, name);
    else if (!error && is_in_use(socket, &chosen))
        error = -EADDRINUSE_;
    if (!error)
        socket->name = chosen;
    return error;
}

long os_socket_bind_any(struct os_node *node)
{
    struct os_address name = {.size = INET_SIZE, .bytes = {INET, 0, 0, 0, 127, 0, 0, 1}};
    if (node->socket->domain != INET || node->socket->name.size)
        return 0;
    return os_socket_bind(node, &name);
}
