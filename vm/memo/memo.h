/* memo.h - transitions that are known, and need not be executed again.
 *
 * What a transition does depends on the objects that it looks at, and on nothing else of the
 * state; most states differ in other threads' objects.  So what it looked at (veil.h) and
 * what came of it are kept, in a tree (ways.h): at each node stands what is looked at next, and
 * the children are told apart by what was seen there.  A transition that is known is done by
 * following the tree, and putting the objects that it changed into their places; with what
 * that adds to the state's sum (settled.h), no object is hashed anew.  (Only of those of which
 * some words were looked at each state has another.)
 * (Transitions are cached by what they read in LTSmin, Blom, van de Pol and Weber, "LTSmin:
 * distributed and symbolic reachability", CAV 2010; there what they read is known before.)
 *
 * The choice among threads ends one part of a transition and begins another.  What has other
 * choices in it, what faults, begins a thread or looks for leaks is executed each time.
 * Whether something is known changes no state and no count: the instructions that are not
 * executed are counted, too.
 *
 * A memo belongs to one machine.  Objects are equal here if their keys are (64 bits). */
#ifndef VM_MEMO_H
#define VM_MEMO_H

#include <stddef.h>
#include <stdint.h>

#include "vm/vm.h"

struct vm_forms;

/* forms: go with what is known, and are forgotten with it; the caller's. */
struct vm_memo *vm_memo_new(size_t max_bytes, struct vm_forms *forms);
void vm_memo_free(struct vm_memo *memo);
size_t vm_memo_bytes(const struct vm_memo *memo);

/* A transition begins, or a thread is chosen, which is at that place of the scheduler's list:
 * vm_memo_run does it. */
void vm_memo_start(struct vm *vm);
void vm_memo_choose(struct vm *vm, uint32_t place, uint64_t thread);
/* As vm_run. */
enum vm_stop vm_memo_run(struct vm *vm);

#endif
