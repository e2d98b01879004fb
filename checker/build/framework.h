/* framework.h - which framework a program's tests are written for.
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

/* The framework that a test is written for, by the symbols of its bitcode. */
enum framework framework_find(const struct strings *bitcode);
const char *framework_name(enum framework framework);

#endif
