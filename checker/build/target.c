/* target.c - clang's options for the guest's target, and for its headers. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/build/target.h"
#include "checker/memory.h"
#include "vm/vm.h"

/* The machine's target, and how code is made for it.  Debug information has all types that the
 * program uses: clang leaves out what it expects in another file, such as a base class whose
 * constructor is never called. */
static const char *const target[] = {"-target", "x86_64-linux-musl", "-nostdlibinc"};
static const char *const code[] = {
    "-g",
    "-fstandalone-debug",
    "-mlong-double-64",
    "-fno-discard-value-names",
    "-fno-stack-protector",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-ffp-contract=off",
};

/* Options for code that is not optimised: local variables that end with their block, and what
 * clang alone can check, by traps. */
static const char *const scopes[] = {
    "-fsanitize=vla-bound,array-bounds",
    "-fsanitize-trap=vla-bound,array-bounds",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-Xclang",
    "-dwarf-debug-flags",
    "-Xclang",
    VM_SCOPES,
};

void target_words(struct strings *args, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        strings_add(args, words[i]);
}

void target_add(struct strings *args)
{
    target_words(args, target, sizeof target / sizeof *target);
}

void target_headers(struct strings *args, const char *option, const char *runtime,
                    const char *folder)
{
    char *include = check_format("%s/%s", runtime, folder);
    strings_add(args, option);
    strings_add(args, include);
    free(include);
}

void cc_machine(struct strings *args)
{
    target_words(args, code, sizeof code / sizeof *code);
}

void cc_scopes(struct strings *args)
{
    bool optimised = false;
    for (size_t i = 0; i < args->n; i++)
        if (!strncmp(args->at[i], "-O", 2))
            optimised = strcmp(args->at[i], "-O0") != 0;
    if (!optimised)
        target_words(args, scopes, sizeof scopes / sizeof *scopes);
    else
        strings_add(args, "-fno-pic"); /* tables would have differences of addresses */
}

/* Folders where other compilers look without being asked: for headers of the distribution's
 * packages.  They come behind all others, as the C library's own headers are there, too. */
static const char *const host_folders[] = {
    "/usr/local/include",
    "/usr/include/x86_64-linux-gnu",
    "/usr/include",
};
enum { HOST_FOLDERS = sizeof host_folders / sizeof *host_folders };

bool cc_is_host_folder(const char *folder)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < HOST_FOLDERS && realpath(folder, path); i++)
        if (!strcmp(path, host_folders[i]))
            return true;
    return false;
}

/* Adds these; before them, what makes a package's headers do without machine code, if that
 * package is there. */
void target_host_folders(struct strings *args, const char *runtime)
{
    static const struct {
        const char *header, *folder;
    } packages[] = {
#define PACKAGE(name, header) {"/usr/include/" header, "divm-packages/" name},
#include "packages.def"
    };
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        if (access(packages[i].header, R_OK) == 0)
            target_headers(args, "-idirafter", runtime, packages[i].folder);
    for (size_t i = 0; i < HOST_FOLDERS; i++) {
        strings_add(args, "-idirafter");
        strings_add(args, host_folders[i]);
    }
}

/* Adds the headers of each language, behind what the user gives. */
void cc_target(struct strings *args, const char *runtime)
{
    static const char *const more[] = {"-nostdinc++", "-D_LIBCPP_ENABLE_EXPERIMENTAL",
                                       "-Wno-unused-command-line-argument"};
    char *cxx = check_format("%s/include/c++/v1", runtime);
    char *all = check_format("%s/include", runtime);
    char *frameworks = check_format("%s/divm-frameworks", runtime);
    const char *const folders[] = {"-cxx-isystem", cxx,          "-cxx-isystem", all,
                                   "-Xclang",      "-c-isystem", "-Xclang",      all,
                                   "-idirafter",   frameworks};
    target_add(args);
    target_words(args, more, sizeof more / sizeof *more);
    target_words(args, folders, sizeof folders / sizeof *folders);
    target_host_folders(args, runtime);
    free(cxx);
    free(all);
    free(frameworks);
}
