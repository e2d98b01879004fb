/* follow.c - makes a path of an execution that is given by its choices. */
#include <stdlib.h>

#include "check.h"
#include "checker/array.h"
#include "walk.h"

static const unsigned OVER = VM_FLAG_ERROR | VM_FLAG_END | VM_FLAG_CANCEL;

/* Follows one transition; -1 if there are no choices left. */
static int follow(struct vm *vm, const int *choices, size_t n, size_t *used,
                  struct check_step *taken)
{
    size_t max = 0;
    enum vm_stop stop;
    while ((stop = vm_run(vm)) == VM_STOP_CHOOSE) {
        int value = *used < n ? choices[(*used)++] : -1;
        if (value < 0 || value >= vm_pending(vm).n)
            return -1;
        ARRAY_PUSH(taken->choices, taken->n, max, value);
        vm_choose(vm, value);
    }
    return stop == VM_STOP_END ? 0 : -1;
}

bool check_follow(const struct vm_program *program, const struct vm_options *machine,
                  const int *choices, size_t n, struct check_path *path)
{
    struct vm *vm = vm_open(program, machine);
    struct walk walk;
    size_t max = 0, used = 0;
    unsigned flags = 0;
    walk_init(&walk, vm);
    vm_boot(vm);
    while (!(flags & OVER)) {
        struct check_step taken = {0};
        int fits = follow(vm, choices, n, &used, &taken);
        ARRAY_PUSH(path->steps, path->n, max, taken);
        if (fits < 0)
            break;
        flags = vm_flags(vm);
        if (flags & VM_FLAG_ERROR)
            break;
        uint64_t hash[2];
        walk_hash(&walk, hash);
        path->steps[path->n - 1].hash = store_id_of(hash);
        vm_start(vm);
    }
    walk_fini(&walk);
    vm_close(vm);
    if (!(flags & VM_FLAG_ERROR))
        check_path_fini(path);
    return flags & VM_FLAG_ERROR;
}
