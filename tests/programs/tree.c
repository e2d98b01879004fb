// A binary search tree with insertion and deletion.  Result: correct.
#include <assert.h>
#include <stdlib.h>

struct tree {
    struct tree *child[2];
    int key;
};

static void insert(struct tree **t, int key)
{
    while (*t)
        t = &(*t)->child[key > (*t)->key];
    *t = calloc(1, sizeof **t);
    if (!*t)
        abort();
    (*t)->key = key;
}

static void erase(struct tree **t, int key)
{
    while (*t && (*t)->key != key)
        t = &(*t)->child[key > (*t)->key];
    struct tree *old = *t;
    if (!old)
        return;
    if (old->child[0] && old->child[1]) {
        struct tree **next = &old->child[1];
        while ((*next)->child[0])
            next = &(*next)->child[0];
        old->key = (*next)->key;
        t = next;
        old = *t;
    }
    *t = old->child[old->child[0] == NULL];
    free(old);
}

static int in_order(const struct tree *t, int *out)
{
    if (!t)
        return 0;
    int n = in_order(t->child[0], out);
    out[n++] = t->key;
    return n + in_order(t->child[1], out + n);
}

int main(void)
{
    static const int keys[] = {5, 2, 8, 1, 9, 3, 7};
    struct tree *root = NULL;
    int out[7];
    for (int k = 0; k < 7; k++)
        insert(&root, keys[k]);
    erase(&root, 5);
    erase(&root, 1);
    erase(&root, 4);
    assert(in_order(root, out) == 5);
    for (int k = 0; k < 4; k++)
        assert(out[k] < out[k + 1]);
    while (root)
        erase(&root, root->key);
    return 0;
}
