/* compile.c - from source files to a loaded program, by way of clang and a private
 * folder for its bitcode, which is removed in any case. */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc.h"
#include "checker/cli/cli.h"
#include "libraries.h"

const char *compile_clang(void)
{
    const char *clang = getenv("DIVM_CLANG");
    return clang && *clang ? clang : "clang-19";
}

static char *text(const char *format, const char *a, const char *b)
{
    char *result;
    if (asprintf(&result, format, a, b) < 0)
        errx(CHECK_EXIT_INTERNAL, "out of memory");
    return result;
}

/* ---- the runtime ----------------------------------------------------------------------- */

/* Beside the binary (in the build tree), or where it is installed. */
char *compile_runtime(void)
{
    static const char *const places[] = {"%s%s/runtime", "%s%s/../lib/divm"};
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *folder = text(places[i], self, "");
        char *archive = text("%s%s/libos.a", folder, "");
        bool there = access(archive, R_OK) == 0;
        free(archive);
        if (there)
            return folder;
        free(folder);
    }
    fprintf(stderr,
            "divm: the runtime is missing: neither %s/runtime nor %s/../lib/divm has it\n",
            self, self);
    return NULL;
}

/* ---- kinds of files ---------------------------------------------------------------------- */

static bool has_suffix(const char *file, const char *const *suffixes)
{
    const char *dot = strrchr(file, '.');
    for (; dot && *suffixes; suffixes++)
        if (!strcmp(dot, *suffixes))
            return true;
    return false;
}

/* Whether the file begins with these bytes. */
static bool begins_with(const char *file, const char *magic)
{
    char start[8] = "";
    size_t n = strlen(magic);
    FILE *in = strcmp(file, "-") ? fopen(file, "r") : NULL;
    bool same = in && fread(start, 1, n, in) == n && !memcmp(start, magic, n);
    if (in)
        fclose(in);
    return same;
}

static bool is_archive(const char *file)
{
    return begins_with(file, "!<arch>\n");
}

/* What the loader takes as it is: bitcode, assembly, and what carries bitcode. */
static bool is_bitcode(const char *file)
{
    return has_suffix(file, (const char *const[]){".bc", ".ll", NULL}) ||
           begins_with(file, "\177ELF") || begins_with(file, "BC\xc0\xde");
}

static bool is_cxx(const struct cli_program *program, const char *file)
{
    static const char *const suffixes[] = {".cpp", ".cc",  ".cxx", ".c++", ".cp",
                                           ".C",   ".CPP", ".ii",  NULL};
    return program->language ? !strcmp(program->language, "c++") : has_suffix(file, suffixes);
}

/* NULL if the file can be taken, else what is wrong. */
static const char *refusal(const struct cli_program *program, const char *file)
{
    bool standard_input = !strcmp(file, "-");
    if (!standard_input && access(file, R_OK) != 0)
        return strerror(errno);
    if (program->language)
        return strcmp(program->language, "c") && strcmp(program->language, "c++")
                   ? "-x must be c or c++"
                   : NULL;
    if (standard_input)
        return "standard input needs a language: -x c or -x c++";
    if (!is_bitcode(file) && !is_archive(file) && !is_cxx(program, file) &&
        !has_suffix(file, (const char *const[]){".c", ".i", NULL}))
        return "unknown file type; expected .c, .cpp, .ll, .bc or a file built with divm cc";
    return NULL;
}

/* ---- clang ---------------------------------------------------------------------------------
 */

static bool has_argument(const struct strings *list, const char *prefix)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strncmp(list->at[i], prefix, strlen(prefix)))
            return true;
    return false;
}

static void add_headers(struct strings *args, const char *option, const char *runtime,
                        const char *folder)
{
    char *include = text("%s/%s", runtime, folder);
    strings_add(args, option);
    strings_add(args, include);
    free(include);
}

/* -std= of the user goes to files of its language. */
static void add_standard(struct strings *args, const struct cli_program *program, bool cxx)
{
    const char *standard = cxx ? "-std=gnu++20" : "-std=gnu17";
    for (size_t i = 0; i < program->compiler.n; i++) {
        const char *given = program->compiler.at[i];
        if (!strncmp(given, "-std=", 5) && (strstr(given, "++") != NULL) == cxx)
            standard = given;
    }
    strings_add(args, standard);
}

/* The machine's target, and how code is made for it. */
static const char *const target[] = {"-target", "x86_64-linux-musl", "-nostdlibinc"};
static const char *const code[] = {
    "-g",
    "-mlong-double-64",
    "-fno-discard-value-names",
    "-fno-stack-protector",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-ffp-contract=off",
};

/* Of code that is not optimised: local variables that end with their block, and what clang
 * alone can check, by traps. */
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

static void add_words(struct strings *args, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        strings_add(args, words[i]);
}

void cc_machine(struct strings *args)
{
    add_words(args, code, sizeof code / sizeof *code);
}

void cc_scopes(struct strings *args)
{
    bool optimised = false;
    for (size_t i = 0; i < args->n; i++)
        if (!strncmp(args->at[i], "-O", 2))
            optimised = strcmp(args->at[i], "-O0") != 0;
    if (!optimised)
        add_words(args, scopes, sizeof scopes / sizeof *scopes);
    else
        strings_add(args, "-fno-pic"); /* tables would have differences of addresses */
}

/* Where other compilers look without being asked: for headers of the distribution's packages,
 * and so behind all others, as the C library's own are there, too. */
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

/* And before them what makes a package's headers do without machine code, if that package is
 * there. */
static void add_host_folders(struct strings *args, const char *runtime)
{
    static const struct {
        const char *header, *folder;
    } packages[] = {
#define PACKAGE(name, header) {"/usr/include/" header, "divm-packages/" name},
#include "packages.def"
    };
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        if (access(packages[i].header, R_OK) == 0)
            add_headers(args, "-idirafter", runtime, packages[i].folder);
    for (size_t i = 0; i < HOST_FOLDERS; i++) {
        strings_add(args, "-idirafter");
        strings_add(args, host_folders[i]);
    }
}

/* The headers of each language, behind what the user gives. */
void cc_target(struct strings *args, const char *runtime)
{
    static const char *const more[] = {"-nostdinc++", "-D_LIBCPP_ENABLE_EXPERIMENTAL",
                                       "-Wno-unused-command-line-argument"};
    char *cxx = text("%s/include%s", runtime, "/c++/v1");
    char *all = text("%s/include%s", runtime, "");
    char *frameworks = text("%s/divm-frameworks%s", runtime, "");
    const char *const folders[] = {"-cxx-isystem", cxx,          "-cxx-isystem", all,
                                   "-Xclang",      "-c-isystem", "-Xclang",      all,
                                   "-idirafter",   frameworks};
    add_words(args, target, sizeof target / sizeof *target);
    add_words(args, more, sizeof more / sizeof *more);
    add_words(args, folders, sizeof folders / sizeof *folders);
    add_host_folders(args, runtime);
    free(cxx);
    free(all);
    free(frameworks);
}

static void compiler_arguments(struct strings *args, const struct cli_program *program,
                               const char *runtime, bool cxx)
{
    strings_add(args, compile_clang());
    add_words(args, target, sizeof target / sizeof *target);
    if (cxx) {
        strings_add(args, "-nostdinc++");
        strings_add(args, "-D_LIBCPP_ENABLE_EXPERIMENTAL"); /* std::jthread */
        add_headers(args, "-isystem", runtime, "include/c++/v1");
    }
    add_headers(args, "-isystem", runtime, "include");
    add_headers(args, "-idirafter", runtime, "divm-frameworks"); /* of tests */
    add_host_folders(args, runtime);
    add_standard(args, program, cxx);
    if (!has_argument(&program->compiler, "-O")) {
        strings_add(args, "-O0");
        strings_add(args, "-Xclang");
        strings_add(args, "-disable-O0-optnone");
    }
    for (size_t i = 0; i < program->compiler.n; i++)
        if (strncmp(program->compiler.at[i], "-std=", 5) != 0)
            strings_add(args, program->compiler.at[i]);
    strings_add(args, "-Wno-unknown-warning-option"); /* GCC has others */
    cc_machine(args);
    cc_scopes(args);
    if (program->language) {
        strings_add(args, "-x");
        strings_add(args, program->language);
    }
}

/* What the precompiled header must know of the user's options; NULL if they
 * change what the headers say. */
static char *find_pch(const struct cli_program *program, const char *runtime, bool verbose)
{
    struct cli_program plain = {0};
    struct strings args = {0};
    bool possible = true;
    for (size_t i = 0; i < program->compiler.n; i++) {
        static const char *const kept[] = {"-O", "-f", "-std=", "-D_LIBCPP_HARDENING_MODE="};
        const char *option = program->compiler.at[i];
        bool keep = false;
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            keep |= !strncmp(option, kept[k], strlen(kept[k]));
        if (keep)
            strings_add(&plain.compiler, option);
        else if (!strncmp(option, "-D_", 3) || !strcmp(option, "-D") ||
                 !strncmp(option, "-U", 2) || !strncmp(option, "-m", 2) ||
                 !strcmp(option, "-Xclang"))
            possible = false;
    }
    compiler_arguments(&args, &plain, runtime, true);
    char *file = possible ? pch_find(&args, runtime, verbose) : NULL;
    strings_fini(&args);
    strings_fini(&plain.compiler);
    return file;
}

static bool compile_file(const struct cli_program *program, const char *runtime,
                         const char *file, const char *output, bool verbose)
{
    struct strings args = {0};
    bool cxx = is_cxx(program, file);
    compiler_arguments(&args, program, runtime, cxx);
    char *pch = cxx ? find_pch(program, runtime, verbose) : NULL;
    if (pch) {
        strings_add(&args, "-include-pch");
        strings_add(&args, pch);
    }
    free(pch);
    strings_add(&args, "-emit-llvm");
    strings_add(&args, "-c");
    strings_add(&args, "-o");
    strings_add(&args, output);
    strings_add(&args, file);
    int status = compile_run(&args, verbose);
    strings_fini(&args);
    if (status > 0)
        fprintf(stderr, "divm: cannot compile %s\n", file);
    return status == 0;
}

/* With what the build system says of the file, before what the user says. */
static bool compile_as_built(const struct cli_program *program, const char *runtime,
                             const char *file, const char *output, bool verbose)
{
    struct cli_program own = *program;
    own.compiler = (struct strings){0};
    bool good = !program->database || database_options(program->database, file, &own.compiler);
    add_words(&own.compiler, (const char *const *)program->compiler.at, program->compiler.n);
    char full[PATH_MAX];
    if (program->database && realpath(file, full))
        file = full;
    good = good && compile_file(&own, runtime, file, output, verbose);
    strings_fini(&own.compiler);
    return good;
}

/* All files as bitcode: those that are it already, and those compiled into the
 * folder.  Of archives what is needed is taken. */
static bool compile_all(const struct cli_program *program, const char *runtime,
                        const char *folder, bool verbose, struct strings *bitcode,
                        struct strings *archives)
{
    for (size_t i = 0; i < program->files.n; i++) {
        const char *file = program->files.at[i], *why = refusal(program, file);
        if (why) {
            fprintf(stderr, "divm: %s: %s\n", file, why);
            return false;
        }
        if (!program->language && (is_bitcode(file) || is_archive(file))) {
            strings_add(is_archive(file) ? archives : bitcode, file);
            continue;
        }
        char output[PATH_MAX];
        snprintf(output, sizeof output, "%s/%zu.bc", folder, i);
        if (!compile_as_built(program, runtime, file, output, verbose) || cli_is_interrupted())
            return false;
        strings_add(bitcode, output);
    }
    return true;
}

/* ---- archives
 * -------------------------------------------------------------------------------- */

static void add_archive(struct strings *archives, const char *runtime, const char *name)
{
    char *file = text("%s/%s", runtime, name);
    if (access(file, R_OK) == 0) /* GoogleTest's is not where its package is not */
        strings_add(archives, file);
    free(file);
}

/* The user's, and how many these are, then ours.  A framework's archive is there for its tests
 * only: it has a main. */
static bool collect_archives(const struct cli_program *program, const char *runtime,
                             enum framework framework, struct strings *archives, size_t *own)
{
    static const char *const ours[] = {"libcxx.a", "libpthread.a", "libc.a", "libos.a"};
    for (size_t i = 0; i < program->libraries.n; i++) {
        const char *library = program->libraries.at[i];
        if (strncmp(library, "-l", 2) != 0 || library_ours(&program->libraries, library))
            continue;
        char *file = library_find(&program->libraries, library + 2);
        if (!file) {
            fprintf(stderr,
                    "divm: %s: no folder given with -L has lib%s.a, built with divm cc\n",
                    library, library + 2);
            return false;
        }
        strings_add(archives, file);
        free(file);
    }
    *own = archives->n;
    if (framework == FRAMEWORK_GTEST)
        add_archive(archives, runtime, "libgtest.a");
    if (framework == FRAMEWORK_CMOCKA)
        add_archive(archives, runtime, "libcmocka.a");
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        add_archive(archives, runtime, ours[i]);
    return true;
}

/* ---- loading
 * ------------------------------------------------------------------------------------ */

/* The user knows the source, not our bitcode of it: "FOLDER/2.bc" is the third file. */
static void print_load_error(const struct cli_program *program, const char *folder,
                             const char *error)
{
    const char *at = strstr(error, folder), *rest = at;
    size_t i = at ? strtoul(at + strlen(folder) + 1, (char **)&rest, 10) : 0;
    if (at && i < program->files.n && !strncmp(rest, ".bc", 3))
        fprintf(stderr, "divm: %.*s%s%s\n", (int)(at - error), error, program->files.at[i],
                rest + 3);
    else
        fprintf(stderr, "divm: %s\n", error);
}

static bool has_bitcode(const struct cli_program *program)
{
    bool has = false;
    for (size_t i = 0; i < program->files.n && !program->language; i++)
        has |= is_bitcode(program->files.at[i]);
    return has;
}

/* What clang makes at -O0 has each operation where the author wrote it. */
static bool as_written(const struct cli_program *program)
{
    bool optimised = has_bitcode(program);
    for (size_t i = 0; i < program->compiler.n && !has_bitcode(program); i++)
        if (!strncmp(program->compiler.at[i], "-O", 2))
            optimised = strcmp(program->compiler.at[i], "-O0") != 0;
    return !optimised;
}

/* The program's own name is that of its first file. */
static void start_arguments(const struct cli_program *program, struct strings *argv)
{
    const char *first = report_basename(program->files.at[0]);
    char *name = strndup(first, strcspn(first, "."));
    strings_add(argv, name && *name ? name : "test");
    free(name);
    add_words(argv, (const char *const *)program->arguments.at, program->arguments.n);
}

static struct vm_start start_of(const struct cli_program *program, const struct strings *argv)
{
    return (struct vm_start){
        .argv = (const char *const *)argv->at,
        .argc = (int)argv->n,
        .env = (const char *const *)program->environment.at,
        .nenv = (int)program->environment.n,
        .options = program->boot_options,
    };
}

void compile_start(struct vm_program *loaded, const struct cli_program *program)
{
    struct strings argv = {0};
    start_arguments(program, &argv);
    struct vm_start start = start_of(program, &argv);
    vm_set_start(loaded, &start);
    strings_fini(&argv);
}

/* What is left where it is if loading does not come to its end. */
struct loading {
    struct vm_load request;
    struct strings argv;
    struct vm_program *loaded;
    char *error;
};

static void load_request(void *context)
{
    struct loading *loading = context;
    loading->loaded = vm_load(&loading->request, &loading->error);
}

/* The program, or NULL after a message, or without one if it is the limits' end. */
static struct vm_program *load_within_limits(const struct cli_program *program,
                                             struct loading *loading, const char *folder)
{
    loading->loaded = vm_load_kept(&loading->request);
    if (loading->loaded)
        return loading->loaded;
    bool sound = !has_bitcode(program) || trial_survives(&loading->request, &loading->error);
    if (program->ahead)
        return NULL;
    if (sound)
        cli_limits.end = apart_run_limited(load_request, loading, &cli_limits.options);
    if (cli_limits.end != APART_DONE)
        return NULL;
    if (!loading->loaded)
        print_load_error(program, folder,
                         loading->error ? loading->error : "cannot load the program");
    return loading->loaded;
}

static struct vm_program *load(const struct cli_program *program, const struct strings *bitcode,
                               const struct strings *archives, size_t own, const char *folder)
{
    struct loading *loading = calloc(1, sizeof *loading);
    struct vm_file *inputs;
    size_t ninputs;
    struct vm_program *loaded = NULL;
    if (!loading)
        errx(CHECK_EXIT_INTERNAL, "out of memory");
    start_arguments(program, &loading->argv);
    bool good = inputs_read(&program->inputs, &inputs, &ninputs);
    loading->request = (struct vm_load){
        .inputs = inputs,
        .ninputs = ninputs,
        .files = (const char *const *)bitcode->at,
        .nfiles = bitcode->n,
        .archives = (const char *const *)archives->at,
        .narchives = archives->n,
        .nown = own,
        .kept = &cache_linked,
        .programs = &cache_programs,
        .entry = program->entry ? program->entry : "main",
        .start = start_of(program, &loading->argv),
        .check_overflow = program->check_overflow,
        .as_written = as_written(program),
        .check_alignment = program->check_alignment,
        .profile = program->profile,
    };
    if (good)
        loaded = load_within_limits(program, loading, folder);
    if (cli_limits.end != APART_DONE)
        return NULL;
    free(loading->error);
    inputs_free(inputs, ninputs);
    strings_fini(&loading->argv);
    free(loading);
    return loaded;
}

char *compile_folder(void)
{
    const char *temporary = getenv("TMPDIR");
    char *folder = text("%s%s/divm-XXXXXX", temporary && *temporary ? temporary : "/tmp", "");
    if (mkdtemp(folder))
        return folder;
    fprintf(stderr, "divm: cannot make a folder %s: %s\n", folder, strerror(errno));
    free(folder);
    return NULL;
}

void compile_remove(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir && (entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(folder);
}

struct vm_program *compile_and_load(const struct cli_program *program, bool verbose,
                                    enum framework *framework)
{
    struct strings bitcode = {0}, archives = {0};
    struct vm_program *loaded = NULL;
    char *runtime = compile_runtime(), *folder = runtime ? compile_folder() : NULL;
    cli_limits.end = APART_DONE;
    if (folder) {
        if (compile_all(program, runtime, folder, verbose, &bitcode, &archives)) {
            *framework = framework_find(&bitcode);
            size_t own;
            if ((!program->ahead || *framework != FRAMEWORK_NONE) &&
                collect_archives(program, runtime, *framework, &archives, &own))
                loaded = load(program, &bitcode, &archives, own, folder);
        }
        compile_remove(folder);
    }
    if (cli_limits.end != APART_DONE)
        return NULL; /* whoever loads it may still look at these */
    strings_fini(&bitcode);
    strings_fini(&archives);
    free(folder);
    free(runtime);
    return loaded;
}
