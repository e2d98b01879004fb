/* identity.h - what tells this build of the command from any other: files that hold its
 * structures, or what its loader has made, are of use to no other one. */
#ifndef CHECKER_IDENTITY_H
#define CHECKER_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/* Gives the identity: a hash of the build id that the linker computes of the whole command
 * (--build-id).  False if there is none: then no such file may be used.  Any thread may call
 * it. */
bool check_identity(uint64_t identity[2]);

#endif
