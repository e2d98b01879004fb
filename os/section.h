/* section.h - atomic sections, which calls of __VERIFIER_atomic_* functions are. */
#ifndef OS_SECTION_H
#define OS_SECTION_H

#include "os/state.h"

/* divm.c: around a function that is an atomic section (vm/load/prepare/load_atomic.c).  In user
 * mode: a section begins, unless it is in one; and ends, if it has begun. */
int __os_section_begin(void);
void __os_section_end(int begun);

#endif
