/* room.h - how much memory the process may still take. */
#ifndef CHECKER_ROOM_H
#define CHECKER_ROOM_H

#include <stdint.h>

#define ROOM_UNKNOWN UINT64_MAX

/* Returns bytes: the least of what the machine has free, what the process's control groups
 * leave it (version 1 and 2, and those around them), and what its address space leaves.  root:
 * "", or a folder in which /proc and /sys are looked for (tests). */
uint64_t room_left(const char *root);

#endif
