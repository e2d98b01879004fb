/* cli_cc.c - divm cc and divm c++: compilers for build systems.
 *
 * An object file is what clang makes of the source for the guest's target; in addition, its
 * section .divm.bc holds the bitcode. So ar, nm, ld and strip work on it as on any object file.
 * (If bitcode is in .llvmbc, where clang puts it, LLVM's plugin for binutils takes the file for
 * an object to be compiled while linking.) An executable is linked by the system's linker,
 * which finds undefined names (the runtime's are in runtime.ld) and joins these sections. The
 * test's native code is never run: the executable starts divm, which runs the bitcode inside,
 * so that a test does the same when it is executed and when it is verified. A name that divm
 * refuses is undefined to main only (cc_refused.c). */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/build/cache.h"
#include "checker/build/cc.h"
#include "checker/build/child.h"
#include "checker/build/compile.h"
#include "checker/build/framework.h"
#include "checker/build/libraries.h"
#include "checker/build/target.h"
#include "checker/cli/cli.h"
#include "checker/memory.h"

struct job {
    struct cc_line line;
    char *runtime, *folder; /* of temporary files */
    bool cxx;
};

static void add_all(struct strings *args, const struct strings *more)
{
    for (size_t i = 0; i < more->n; i++)
        strings_add(args, more->at[i]);
}

static void begin(const struct job *job, struct strings *args)
{
    strings_add(args, compile_clang());
    if (job->cxx)
        strings_add(args, "--driver-mode=g++");
    cc_target(args, job->runtime);
}

/* Runs a command; returns the status that a compiler ends with. */
static int run(struct strings *args)
{
    int status = compile_run(args, false);
    strings_fini(args);
    return status < 0 ? CHECK_EXIT_REFUSED : status;
}

/* ---- objects --------------------------------------------------------------------- */

/* Returns a file's name with another suffix: "sub/a.cpp" to "a.o", or "dir/a.o" to "dir/a.d";
 * malloc'ed. */
static char *with_suffix(const char *file, const char *suffix)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
    size_t n = dot && (!slash || dot > slash + 1) ? (size_t)(dot - file) : strlen(file);
    char *name;
    return asprintf(&name, "%.*s%s", (int)n, file, suffix) < 0 ? NULL : name;
}

/* Adds options for make's dependencies, which must name the object, not our bitcode. */
static void add_depends(struct strings *args, const struct cc_line *line, const char *object)
{
    char *file = with_suffix(object, ".d");
    add_all(args, &line->depends);
    if (line->writes_depends && !line->names_depends && file) {
        strings_add(args, "-MF");
        strings_add(args, file);
    }
    if (line->writes_depends && !line->names_target) {
        strings_add(args, "-MQ");
        strings_add(args, object);
    }
    free(file);
}

static bool is_assembly(const struct cc_source *source)
{
    const char *dot = strrchr(source->file, '.');
    if (source->language)
        return strstr(source->language, "assembler") != NULL;
    return dot && (!strcmp(dot, ".s") || !strcmp(dot, ".S") || !strcmp(dot, ".sx"));
}

static int to_bitcode(const struct job *job, const struct cc_source *source, const char *object,
                      const char *output)
{
    struct strings args = {0};
    bool assembly = is_assembly(source);
    begin(job, &args);
    add_all(&args, &job->line.compile);
    cc_machine(&args);
    cc_scopes(&args);
    add_depends(&args, &job->line, object);
    if (source->language) {
        strings_add(&args, "-x");
        strings_add(&args, source->language);
    }
    if (!assembly)
        strings_add(&args, "-emit-llvm");
    const char *rest[] = {"-c", "-o", assembly ? object : output, source->file};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        strings_add(&args, rest[i]);
    if (assembly)
        fprintf(stderr, "divm: note: %s: of assembly there is no bitcode: a call is an error\n",
                source->file);
    return run(&args);
}

static int to_object(const struct job *job, const char *bitcode, const char *object)
{
    static const char *const fixed[] = {"-w", "-O0", "-c", "-x", "ir", "-o"};
    struct strings args = {0};
    char section[PATH_MAX];
    strings_add(&args, compile_clang());
    cc_target(&args, job->runtime);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        strings_add(&args, fixed[i]);
    strings_add(&args, object);
    strings_add(&args, bitcode);
    int status = run(&args);
    if (status != 0 || !strcmp(object, "/dev/null"))
        return status;
    snprintf(section, sizeof section, ".divm.bc=%s", bitcode);
    const char *const add[] = {"objcopy", "--add-section", section, object};
    for (size_t i = 0; i < sizeof add / sizeof *add; i++)
        strings_add(&args, add[i]);
    return run(&args);
}

static int compile_source(const struct job *job, size_t k, const char *object)
{
    const struct cc_source *source = &job->line.sources[k];
    char bitcode[PATH_MAX];
    snprintf(bitcode, sizeof bitcode, "%s/%zu.bc", job->folder, k);
    int status = to_bitcode(job, source, object, bitcode);
    if (status == 0 && !is_assembly(source))
        status = to_object(job, bitcode, object);
    return status;
}

static int make_objects(const struct job *job)
{
    const struct cc_line *line = &job->line;
    int status = CHECK_EXIT_OK;
    if (line->output && line->nsources > 1) {
        fputs("divm: -c and -o with several sources\n", stderr);
        return CHECK_EXIT_USAGE;
    }
    for (size_t k = 0; k < line->nsources && status == 0; k++) {
        char *object = with_suffix(check_basename(line->sources[k].file), ".o");
        status = compile_source(job, k, line->output ? line->output : object);
        free(object);
    }
    return status;
}

/* ---- executables ----------------------------------------------------------------- */

/* Makes the object that has divm run the program. */
static int make_launcher(const struct job *job, const char *output)
{
    static const char *const fixed[] = {"-target",
                                        "x86_64-linux-gnu",
                                        "-ffreestanding",
                                        "-fno-stack-protector",
                                        "-fno-pic",
                                        "-fno-builtin",
                                        "-O1",
                                        "-w",
                                        "-c",
                                        "-o"};
    struct strings args = {0};
    char self[PATH_MAX], text[PATH_MAX + 32];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    strings_add(&args, compile_clang());
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        strings_add(&args, fixed[i]);
    strings_add(&args, output);
    snprintf(text, sizeof text, "-DDIVM=\"%s\"", self);
    strings_add(&args, text);
    snprintf(text, sizeof text, "%s/native/launch.c", job->runtime);
    strings_add(&args, text);
    return run(&args);
}

/* Is the word left out of the link?  The runtime is added when the program is loaded.  A shared
 * library is not linked with another one. */
static bool is_left_out(const struct cc_line *line, const char *word)
{
    const char *dot = strrchr(word, '.');
    if (library_ours(&line->link, word))
        return true;
    if (!strncmp(word, "-l", 2))
        return line->shared || line->relocatable;
    if (line->shared && *word == '-')
        return !strncmp(word, "-Wl,", 4) && !strstr(word, "whole-archive");
    return line->shared && dot && !strcmp(dot, ".so");
}

/* Adds what the runtime's libraries define, as far as the linker has to know. */
static void add_scripts(const struct job *job, struct strings *args)
{
    static const char *const always[] = {"runtime.ld", "native/builtins.ld"};
    const struct strings *link = &job->line.link;
    char file[PATH_MAX];
    for (size_t i = 0; i < 2; i++) {
        snprintf(file, sizeof file, "%s/%s", job->runtime, always[i]);
        strings_add(args, file);
    }
    for (size_t i = 0; i < link->n; i++) {
        const struct library *library = library_ours(link, link->at[i]);
        if (!library || !*library->script)
            continue;
        snprintf(file, sizeof file, "%s/%s", job->runtime, library->script);
        strings_add(args, file);
        snprintf(file, sizeof file, "%s/native/main.ld", job->runtime);
        if (library->has_main)
            strings_add(args, file);
    }
}

/* Is it a shared library of the host?  Nothing of it could be verified.  What is used of it is
 * then undefined, or the headers have it. */
static bool is_machine_code(const struct strings *link, const char *word)
{
    const char *slash = strrchr(word, '/');
    if (!strncmp(word, "-l", 2))
        return library_is_shared_only(link, word + 2);
    return *word != '-' && slash && library_is_of_host(word) && strstr(slash, ".so");
}

/* Prints these, as a linker does with --as-needed: not those of which nothing is needed. */
static void print_machine_code(const struct strings *link)
{
    for (size_t i = 0; i < link->n; i++)
        if (!library_ours(link, link->at[i]) && is_machine_code(link, link->at[i]))
            fprintf(
                stderr,
                "divm: %s is machine code, which cannot be verified, and was left out: what "
                "the program needs of it has to be built with divm cc or c++, or to be in "
                "headers\n",
                link->at[i]);
}

/* Adds the linker's words; and, to by_main, the names that main refers to. */
static void add_link(const struct job *job, struct strings *args, struct strings *by_main)
{
    const struct cc_line *line = &job->line;
    char object[PATH_MAX];
    for (size_t i = 0, k = 0; i < line->link.n; i++) {
        const char *word = line->link.at[i];
        if (k < line->nsources && line->sources[k].at == i) {
            snprintf(object, sizeof object, "%s/%zu.o", job->folder, k++);
            strings_add(args, object);
            cc_main_names(object, by_main);
        } else if (!is_left_out(line, word) && !is_machine_code(&line->link, word)) {
            strings_add(args, word);
            cc_main_names(word, by_main);
        }
    }
}

static int link_all(const struct job *job)
{
    const struct cc_line *line = &job->line;
    bool part = line->shared || line->relocatable;
    struct strings args = {0}, by_main = {0};
    char file[PATH_MAX];
    strings_add(&args, compile_clang());
    static const char *const fixed[] = {"-target", "x86_64-linux-musl", "-nostdlib", "-w",
                                        "-o"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        strings_add(&args, fixed[i]);
    strings_add(&args, line->output ? line->output : "a.out");
    strings_add(&args, part ? "-r" : "-static");
    snprintf(file, sizeof file, "%s/launch.o", job->folder);
    if (!part) {
        strings_add(&args, "-Wl,-e,__divm_launch");
        strings_add(&args, file);
        int status = make_launcher(job, file);
        if (status != 0) {
            strings_fini(&args);
            return status;
        }
    }
    add_link(job, &args, &by_main);
    if (!part) {
        add_scripts(job, &args);
        snprintf(file, sizeof file, "%s/refused.ld", job->folder);
        if (cc_refused_script(file, &by_main))
            strings_add(&args, file);
    }
    int status = run(&args);
    if (status != 0 && !part) {
        cc_refused_hint(&by_main);
        print_machine_code(&line->link);
    }
    strings_fini(&by_main);
    return status;
}

/* Loads the program now and keeps it.  Build systems list the cases of a test as soon as it is
 * linked, and give it little time; compiling may take longer. */
static void load_ahead(const char *output)
{
    char *folder = cache_folder("");
    if (folder && access(folder, W_OK) == 0) {
        struct cli run = {.command = cli_command(RUN)};
        enum framework framework;
        strings_add(&run.program.files, output);
        if (cli_parse(&run, 0, NULL)) {
            cli_program_options(&run);
            run.program.ahead = true;
            compile_and_load(&run.program, false, &framework);
        }
        cli_fini(&run);
    }
    free(folder);
}

static int make_executable(const struct job *job)
{
    char object[PATH_MAX];
    int status = CHECK_EXIT_OK;
    for (size_t k = 0; k < job->line.nsources && status == 0; k++) {
        snprintf(object, sizeof object, "%s/%zu.o", job->folder, k);
        status = compile_source(job, k, object);
    }
    if (status == 0)
        status = link_all(job);
    if (status == 0 && !job->line.shared && !job->line.relocatable)
        load_ahead(job->line.output ? job->line.output : "a.out");
    return status;
}

/* ---- the command ----------------------------------------------------------------- */

/* Has clang do what is not compiling (preprocessing, versions and the like), with the guest's
 * headers. */
static int ask_clang(const struct job *job)
{
    struct strings args = {0};
    begin(job, &args);
    add_all(&args, &job->line.all);
    return run(&args);
}

static int make(struct job *job)
{
    job->folder = job->line.mode == CC_OTHER ? NULL : compile_folder();
    if (job->line.mode == CC_OTHER)
        return ask_clang(job);
    if (!job->folder)
        return CHECK_EXIT_REFUSED;
    int status = job->line.mode == CC_OBJECTS ? make_objects(job) : make_executable(job);
    compile_remove(job->folder);
    return status;
}

int cli_cc(struct cli *cli)
{
    struct job job = {.runtime = compile_runtime(), .cxx = cli->command->bit == CXX};
    const struct strings *words = &cli->program.files;
    int status = CHECK_EXIT_REFUSED;
    if (job.runtime) {
        status = cc_parse(&job.line, (const char *const *)words->at, words->n)
                     ? make(&job)
                     : CHECK_EXIT_USAGE;
    }
    cc_fini(&job.line);
    free(job.folder);
    free(job.runtime);
    return status;
}
