// A child has its own copy of variables, of the heap and of the stack, and pointers in
// it point to the copies.  Its parent gets its status.
//
// Result: correct.  -DBUG expects what the child wrote: assertion violation.
#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct node {
    struct node *next;
    int value;
};
static struct node *list;
static int global = 1;

static void add(int value)
{
    struct node *made = malloc(sizeof *made);
    *made = (struct node){list, value};
    list = made;
}

static int sum(void)
{
    int total = 0;
    for (const struct node *n = list; n; n = n->next)
        total += n->value;
    return total;
}

static void clear(void)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    int local = 3, *pointer = &local, status;
    add(10);
    add(20);
    pid_t parent = getpid(), child = fork();
    assert(child >= 0);
    if (child == 0) {
        assert(getpid() != parent && getppid() == parent);
        assert(global == 1 && sum() == 30 && *pointer == 3 && pointer == &local);
        global = 2;
        *pointer = 4;
        list->next->value = 100;
        add(1);
        assert(local == 4 && sum() == 121);
        clear();
        exit(7);
    }
    assert(getpid() == parent);
    add(5);
    assert(wait(&status) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
#ifdef BUG
    assert(global == 2);
#endif
    assert(global == 1 && local == 3 && sum() == 35);
    assert(wait(&status) == -1);
    clear();
    return 0;
}
