/* tcache.h - transitions that are known, and need not be executed again.
 *
 * What a transition does depends on the objects that it looks at, and on nothing else of the
 * state; most states differ in other threads' objects.  So what it looked at (readset.h) and
 * what came of it are kept, in a tree (trie.h): at each node stands what is looked at next, and
 * the children are told apart by what was seen there.  A transition that is known is done by
 * following the tree, and putting the objects that it changed into their places; with what
 * that adds to the state's sum (inchash.h), no object is hashed anew.  (Only of those of which
 * some words were looked at each state has another.)
 * (Transitions are cached by what they read in LTSmin, Blom, van de Pol and Weber, "LTSmin:
 * distributed and symbolic reachability", CAV 2010; there what they read is known before.)
 *
 * The choice among threads ends one part of a transition and begins another.  What has other
 * choices in it, what faults, begins a thread or looks for leaks is executed each time.
 * Whether something is known changes no state and no count: the instructions that are not
 * executed are counted, too.
 *
 * A transition cache belongs to one machine.  Objects are equal here if their keys are (64
 * bits). */
#ifndef VM_TCACHE_H
#define VM_TCACHE_H

#include <stddef.h>
#include <stdint.h>

#include "vm/vm.h"

struct vm_forms;

/* forms: go with what is known, and are forgotten with it; the caller's. */
struct vm_tcache *vm_tcache_new(size_t max_bytes, struct vm_forms *forms);
void vm_tcache_free(struct vm_tcache *tcache);
size_t vm_tcache_bytes(const struct vm_tcache *tcache);

/* A transition begins, or a thread is chosen, which is at that place of the scheduler's list:
 * vm_tcache_run does it. */
void vm_tcache_start(struct vm *vm);
void vm_tcache_choose(struct vm *vm, uint32_t place, uint64_t thread);
/* As vm_run. */
enum vm_stop vm_tcache_run(struct vm *vm);

#endif
