/* moments.h - the state of the program at each step on the way to an error: where each thread
 * is, and the program's variables and heap, as a replay finds them.
 *
 * The JSON that is made is the caller's. */
#ifndef CHECKER_MOMENTS_H
#define CHECKER_MOMENTS_H

#include <jansson.h>

#include "checker/search/check.h"
#include "step.h"

/* The most that is told of a moment; how much more there was is told with it. */
enum { MOMENTS_STEPS = 3000, MOMENTS_OBJECTS = 200, MOMENTS_PARTS = 48, MOMENTS_FRAMES = 16 };

/* Replays the path that the counterexample was made from.  NULL if it does not get to the error
 * again (machine->halt was set, for one).  Else an object:
 *   first    the index of the first step that has a moment: the ones before are too many
 *   files    paths; places name them by their index
 *   names    of objects, by key: "node#2"
 *   moments  one for each step, as it is different from the one before:
 *     stacks   by thread: frames, innermost first: [function, file, line, keys of variables];
 *              null of a thread that has ended
 *     objects  by key: kind, type, size, and parts: [path, type, offset, value], where a value
 *              is a text, null if it is not to be seen, or [key, offset] of an address;
 *              cut: there are so many parts more; null of an object that is gone
 *     cut      so many objects there are more */
json_t *moments_record(const struct vm_program *program, const struct vm_options *machine,
                       const struct check_path *path, const struct cex *cex, bool all);

#endif
