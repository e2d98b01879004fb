/* framework.h - the framework that a program's tests are written for.
 *
 * Single-threaded; nothing is owned. */
#ifndef CHECKER_FRAMEWORK_H
#define CHECKER_FRAMEWORK_H

#include "checker/memory.h"

enum framework {
    FRAMEWORK_NONE,
#define FRAMEWORK(id, name, marker) FRAMEWORK_##id,
#include "checker/build/frameworks.def"
};

/* Finds the framework by the symbols of the test's bitcode. */
enum framework framework_find(const struct strings *bitcode);
const char *framework_name(enum framework framework);

#endif
