// A linked list, reversed and freed.  Result: correct.
// -DBUG forgets the last node: memory error.
// Expect-BUG: memory leak
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *head = NULL, *reversed = NULL;
    for (int k = 0; k < 5; k++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            abort();
        *n = (struct node){head, k};
        head = n;
    }
    while (head) {
        struct node *next = head->next;
        head->next = reversed;
        reversed = head;
        head = next;
    }
    int expected = 0;
#ifdef BUG
    while (reversed->next) {
#else
    while (reversed) {
#endif
        struct node *next = reversed->next;
        assert(reversed->value == expected++);
        free(reversed);
        reversed = next;
    }
    reversed = NULL;
    return 0;
}
