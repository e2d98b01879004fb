/* node.c - files, folders, pipes and devices as objects. */
#include "os/fs/node.h"
#include "os/error.h"
#include "os/state.h"

size_t os_node_size(const struct os_node *node)
{
    return node->data ? __divm_obj_size(node->data) : 0;
}

void os_node_changes(const struct os_node *node)
{
    if (node->maps)
        __os_error(VM_FAULT_SYSCALL,
                   "a file changes that is mapped with MAP_SHARED: this is not supported");
}

/* Resizes a node's data; new bytes are 0. */
void os_node_resize(struct os_node *node, size_t size)
{
    size_t old = os_node_size(node);
    if (size != old)
        os_node_changes(node);
    if (size == 0 && old) {
        __divm_obj_free(node->data, VM_OBJ_KERNEL);
        node->data = NULL;
    } else if (old) {
        __divm_obj_resize(node->data, size);
    } else if (size) {
        node->data = __divm_obj_make(size, VM_OBJ_KERNEL);
    }
    if (size > old)
        __builtin_memset(node->data + old, 0, size - old);
}

static int node_count(const struct os_state *state)
{
    return state->nodes ? (int)(__divm_obj_size(state->nodes) / sizeof *state->nodes) : 0;
}

struct os_node *os_node(int number)
{
    return os_state()->nodes[number - 1];
}

struct os_node *os_node_make(enum os_node_kind kind, int mode)
{
    struct os_state *state = os_state();
    int count = node_count(state), place = 0;
    while (place < count && state->nodes[place])
        place++;
    if (count == 0)
        state->nodes = __divm_obj_make(sizeof *state->nodes, VM_OBJ_KERNEL);
    else if (place == count)
        __divm_obj_resize(state->nodes, ((size_t)count + 1) * sizeof *state->nodes);
    struct os_node *node = __divm_obj_make(sizeof *node, VM_OBJ_KERNEL);
    *node = (struct os_node){.kind = kind, .number = place + 1, .mode = mode};
    state->nodes[place] = node;
    return node;
}

static void node_free(struct os_node *node)
{
    struct os_state *state = os_state();
    state->nodes[node->number - 1] = NULL;
    os_node_resize(node, 0);
    __divm_obj_free(node, VM_OBJ_KERNEL);
    int count = node_count(state);
    while (!state->nodes[count - 1])
        count--;
    __divm_obj_resize(state->nodes, (size_t)count * sizeof *state->nodes);
}

/* Frees a node, and with it the removed folders that it was in. */
void os_node_unused(struct os_node *node)
{
    while (node && !node->links && !node->opens && !node->maps && !node->currents) {
        struct os_node *parent = node->kind == OS_FOLDER ? node->parent : NULL;
        node_free(node);
        if (parent)
            parent->currents--;
        node = parent;
    }
}
