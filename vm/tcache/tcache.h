/* tcache.h - the transition cache: a transition that was executed before is not executed again.
 *
 * A transition depends on the objects that it reads, and on nothing else of the state; most
 * states differ in objects of other threads.  So the cache keeps what a transition read (its
 * read set, readset.h) and its effect, in a decision trie (trie.h): a node says what is read
 * next, and has a child for each contents seen there.  Applying a cached transition means
 * following the trie and putting the objects that it changed in place.  The effect includes
 * what these add to the state's sum (inchash.h), so no object is hashed anew, except where only
 * some words of an object were read. (LTSmin caches transitions by what they read: Blom, van de
 * Pol and Weber, "LTSmin: distributed and symbolic reachability", CAV 2010; there it is known
 * beforehand what they read.)
 *
 * The choice among threads ends one phase of a transition and begins another.  A phase that
 * has other choices, faults, begins a thread or looks for leaks is executed each time.
 * The cache changes no state and no count: instructions that are not executed are counted, too.
 *
 * A cache belongs to one machine.  Two objects count as equal if their keys are (64 bits). */
#ifndef VM_TCACHE_H
#define VM_TCACHE_H

#include <stddef.h>
#include <stdint.h>

#include "vm/vm.h"

struct vm_forms;

/* forms: canonical forms by cached transition, cleared with the cache; the caller keeps them.
 */
struct vm_tcache *vm_tcache_new(size_t max_bytes, struct vm_forms *forms);
void vm_tcache_free(struct vm_tcache *tcache);
size_t vm_tcache_bytes(const struct vm_tcache *tcache);

/* Begins a transition; chooses the thread at this place of the scheduler's list.  vm_tcache_run
 * then does the phase. */
void vm_tcache_start(struct vm *vm);
void vm_tcache_choose(struct vm *vm, uint32_t place, uint64_t thread);
/* Applies or executes the phase that was begun; returns as vm_run does. */
enum vm_stop vm_tcache_run(struct vm *vm);

#endif
