/* orbit.h - the graph of a state up to the names of threads that are alike.
 *
 * Of the graphs that differ only in which of the alike threads (thread_symmetry.h) has which
 * number, the least stands for all: every order of up to VM_ORBIT_THREADS threads is tried (the
 * definition of thread symmetry, without any of what makes fingerprints fast).  So a store that
 * keeps states exactly has one for each orbit, and the fingerprints are tested against it. */
#ifndef VM_ORBIT_H
#define VM_ORBIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vm;
struct vm_obj;
struct vm_walk;

enum {
    VM_ORBIT_THREADS = 4
}; /* alive; with more, or strays, states are told apart by numbers */

/* The objects that stand for some of the state's in a graph: records without the number, and
 * the lists of threads and of open footprints, in which symmetric threads come last, in an
 * order that is tried. */
struct vm_renaming {
    unsigned n, nobjects; /* of symmetric threads that are alive; of objects */
    uint64_t thread[VM_ORBIT_THREADS];
    const struct vm_obj *was[VM_ORBIT_THREADS + 2];
    struct vm_obj *is[VM_ORBIT_THREADS + 2];
};

/* The object that stands for this one. */
struct vm_obj *vm_renamed(const struct vm_renaming *renaming, struct vm_obj *o);
/* Writes the least graph into the machine's vector, n words: graph(vm, renaming, &n) writes it
 * for one order, or NULL: as the state is.  It returns false if it has real ids; then it is as
 * the state is. */
const uint64_t *vm_orbit_least(struct vm *vm,
                               bool (*graph)(struct vm *, const struct vm_renaming *, size_t *),
                               size_t *n);

#endif
