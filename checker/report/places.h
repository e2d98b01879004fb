/* places.h - names of files in reports for programs: relative to the folder that divm was
 * called in, where they are below it.  What is returned is malloc'ed.  Threads: any. */
#ifndef CHECKER_PLACES_H
#define CHECKER_PLACES_H

/* Returns the current folder; "" if it has no name any more. */
char *places_here(void);
char *places_name(const char *file);

#endif
