/* orbit.h - the graph of a state up to the numbers of symmetric threads.
 *
 * Of the graphs that differ only in which symmetric thread (thread_symmetry.h) has which
 * number, the least stands for all.  Every order of up to VM_ORBIT_THREADS threads is tried:
 * this is the definition of thread symmetry, without anything that makes fingerprints fast.  So
 * an exact store has one graph for each orbit, and the fingerprints are tested against it. */
#ifndef VM_ORBIT_H
#define VM_ORBIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vm;
struct vm_obj;
struct vm_walk;

enum { VM_ORBIT_THREADS = 4 }; /* threads; with more, or strays, threads' numbers count */

/* Objects that replace some of the state's in a graph, for one order: records without their
 * numbers, and the lists of threads and of open footprints with symmetric threads last. */
struct vm_renaming {
    unsigned n, nobjects; /* live symmetric threads; replaced objects */
    uint64_t thread[VM_ORBIT_THREADS];
    const struct vm_obj *was[VM_ORBIT_THREADS + 2];
    struct vm_obj *is[VM_ORBIT_THREADS + 2];
};

/* The object that replaces o, or o itself. */
struct vm_obj *vm_renamed(const struct vm_renaming *renaming, struct vm_obj *o);
/* Writes the least graph into the machine's vector and sets *n to its words.  graph(vm,
 * renaming, &n) writes the graph for one order (NULL: the state as it is); it returns false if
 * the graph has real ids, and then the state is taken as it is. */
const uint64_t *vm_orbit_least(struct vm *vm,
                               bool (*graph)(struct vm *, const struct vm_renaming *, size_t *),
                               size_t *n);

#endif
