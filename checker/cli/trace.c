/* trace.c - trace files: how to make the program again, which choices to take, and what must
 * come of it.  They are JSON, so that other tools can read them. */
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checker/array.h"
#include "checker/cli/trace.h"
#include "checker/memory.h"
#include "checker/program.h"
#include "checker/report/report.h"
#include "checker/search/check.h"
#include "vm/vm.h"

enum { TRACE_FORMAT = 1 };

/* A switch of machine or program, by its name in the file. */
struct toggle {
    const char *name;
    bool *at;
};
enum { TOGGLES = 23 };

static void list_toggles(struct toggle list[TOGGLES], struct cli_program *program,
                         struct vm_options *machine)
{
    const struct toggle all[TOGGLES] = {
        {"coalesce", &machine->coalesce},
        {"private_objects", &machine->private_objects},
        {"hides_pointers", &machine->hides_pointers},
        {"unwritten", &machine->read_only},
        {"race_free", &machine->race_free},
        {"report_races", &machine->report_races},
        {"weak_memory", &machine->weak_memory},
        {"spurious_failures", &machine->spurious_failures},
        {"store_buffers", &machine->store_buffers},
        {"lazy_drains", &machine->lazy_drains},
        {"conditional", &machine->conditional},
        {"late_joins", &machine->deferred_joins},
        {"twins", &machine->thread_symmetry},
        {"without_forks", &machine->without_forks},
        {"next_id_matters", &machine->next_id_matters},
        {"heap_symmetry", &machine->heap_symmetry},
        {"addresses_matter", &machine->addresses_matter},
        {"mixed_accesses", &machine->mixed_accesses},
        {"atomic_uses", &machine->atomic_uses},
        {"check_overflow", &program->check_overflow},
        {"check_alignment", &program->check_alignment},
        {"keep_dead_registers", &machine->keep_dead_registers},
        {"monitors", &machine->monitors},
    };
    memcpy(list, all, sizeof all);
}

/* ---- writing --------------------------------------------------------------------- */

static json_t *strings_json(const struct strings *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->n; i++)
        json_array_append_new(array, report_json_text(list->at[i], strlen(list->at[i])));
    return array;
}

json_t *trace_options(const struct cli_program *program, const struct vm_options *machine)
{
    struct cli_program from = *program;
    struct vm_options options = *machine;
    struct toggle toggles[TOGGLES];
    list_toggles(toggles, &from, &options);
    json_t *root = json_object();
    for (int i = 0; i < TOGGLES; i++)
        json_object_set_new(root, toggles[i].name, json_boolean(*toggles[i].at));
    if (program->coverage) /* its bytecode has marks */
        json_object_set_new(root, "coverage", json_true());
    json_object_set_new(root, "boot", json_integer(program->boot_options));
    json_object_set_new(root, "max_object_bytes",
                        json_integer((json_int_t)machine->max_object_bytes));
    json_object_set_new(root, "left_out", json_integer(machine->left_out));
    json_object_set_new(root, "entry", json_string(program->entry ? program->entry : "main"));
    return root;
}

/* Returns what is told of an infinite run. */
static json_t *endless_json(const struct check_endless *endless)
{
    return json_pack("{s:o, s:s, s:I}", "text",
                     report_json_text(endless->text, strlen(endless->text)), "kind",
                     vm_fault_text(endless->kind), "query", (json_int_t)endless->query);
}

static json_t *path_json(const struct check_path *path)
{
    json_t *steps = json_array();
    for (size_t i = 0; i < path->n; i++) {
        const struct check_step *step = &path->steps[i];
        char hash[17];
        snprintf(hash, sizeof hash, "%016" PRIx64, step->hash);
        json_t *choices = json_array();
        for (size_t k = 0; k < step->n; k++)
            json_array_append_new(choices, json_integer(step->choices[k]));
        json_t *json = json_pack("{s:s, s:o}", "state", hash, "choices", choices);
        if (step->no_end)
            json_object_set_new(json, "no_end", json_true());
        if (step->loop)
            json_object_set_new(json, "loop", json_true());
        if (step->endless)
            json_object_set_new(json, "endless", json_true());
        if (step->endless && path->endless.text)
            json_object_set_new(json, "run", endless_json(&path->endless));
        json_array_append_new(steps, json);
    }
    return steps;
}

static json_t *trace_json(const struct trace *trace)
{
    const struct cli_program *program = &trace->program;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, trace->hash);
    json_t *verdict = json_pack(
        "{s:s, s:o, s:s}", "kind", vm_fault_text(trace->kind), "message",
        report_json_text(trace->verdict, strlen(trace->verdict)), "location", trace->location);
    json_t *language = program->language ? json_string(program->language) : json_null();
    json_t *database = program->database ? json_string(program->database) : json_null();
    return json_pack(
        "{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
        "divm_trace", TRACE_FORMAT, "version", CHECK_VERSION, "program", hash, "files",
        strings_json(&program->files), "compiler", strings_json(&program->compiler),
        "libraries", strings_json(&program->libraries), "inputs",
        strings_json(&program->inputs), "queries", strings_json(&program->queries), "arguments",
        strings_json(&program->arguments), "environment", strings_json(&program->environment),
        "language", language, "database", database, "options",
        trace_options(program, &trace->machine), "transitions", path_json(&trace->path),
        "verdict", verdict);
}

/* Writes all or nothing: errno is set if it returns false. */
static bool write_stream(int fd, const char *text)
{
    FILE *out = fdopen(fd, "w");
    if (!out) {
        close(fd);
        return false;
    }
    bool good =
        fputs(text, out) >= 0 && fputc('\n', out) != EOF && fflush(out) == 0 && fsync(fd) == 0;
    int error = errno;
    if (fclose(out) != 0 && good)
        return false;
    errno = error;
    return good;
}

/* Writes a special file as it is, and replaces any other at once. */
static char *replace(const char *file, const char *text)
{
    struct stat info;
    if (stat(file, &info) == 0 && !S_ISREG(info.st_mode)) {
        FILE *out = fopen(file, "w");
        bool good = out && fputs(text, out) >= 0 && fflush(out) == 0;
        char *why =
            good ? NULL : check_format("cannot write trace %s: %s", file, strerror(errno));
        if (out)
            fclose(out);
        return why;
    }
    char *temporary = check_format("%s.XXXXXX", file), *why = NULL;
    int fd = mkstemp(temporary);
    if (fd < 0) {
        why = check_format("cannot write trace %s: %s", file, strerror(errno));
    } else if (fchmod(fd, 0644) != 0 || !write_stream(fd, text) ||
               rename(temporary, file) != 0) {
        why = check_format("cannot write trace %s: %s", file, strerror(errno));
        unlink(temporary);
    }
    free(temporary);
    return why;
}

char *trace_write(const char *file, const struct trace *trace)
{
    json_t *root = trace_json(trace);
    char *text = root ? json_dumps(root, JSON_INDENT(1)) : NULL;
    json_decref(root);
    if (!text)
        return check_format("cannot write trace %s: out of memory", file);
    char *why = replace(file, text);
    free(text);
    return why;
}

/* ---- reading --------------------------------------------------------------------- */

static bool read_strings(const json_t *root, const char *name, struct strings *list)
{
    const json_t *array = json_object_get(root, name), *item;
    size_t i;
    if (!json_is_array(array))
        return false;
    json_array_foreach(array, i, item)
    {
        if (!json_is_string(item))
            return false;
        strings_add(list, json_string_value(item));
    }
    return true;
}

static bool read_hash(const json_t *value, uint64_t *hash)
{
    const char *text = json_string_value(value);
    char *end;
    if (!text || strlen(text) != 16)
        return false;
    *hash = strtoull(text, &end, 16);
    return !*end;
}

static bool read_step(const json_t *value, struct check_step *step)
{
    const json_t *choices = json_object_get(value, "choices"), *item;
    size_t i, max = 0;
    if (!read_hash(json_object_get(value, "state"), &step->hash) || !json_is_array(choices))
        return false;
    step->no_end = json_is_true(json_object_get(value, "no_end"));
    step->loop = json_is_true(json_object_get(value, "loop"));
    step->endless = json_is_true(json_object_get(value, "endless"));
    json_array_foreach(choices, i, item)
    {
        if (!json_is_integer(item) || json_integer_value(item) < 0 ||
            json_integer_value(item) > INT32_MAX)
            return false;
        ARRAY_PUSH(step->choices, step->n, max, (int)json_integer_value(item));
    }
    return true;
}

static bool read_endless(const json_t *value, struct check_endless *endless)
{
    const char *text = json_string_value(json_object_get(value, "text"));
    const json_t *query = json_object_get(value, "query");
    const char *kind = json_string_value(json_object_get(value, "kind"));
    static const enum vm_fault_kind kinds[] = {VM_FAULT_LIVELOCK, VM_FAULT_FORMULA,
                                               VM_FAULT_MONITOR};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    size_t k = 0;
    if (!value)
        return true;
    while (k < KINDS && kind && strcmp(kind, vm_fault_text(kinds[k])) != 0)
        k++;
    if (!kind || k == KINDS || !text || !json_is_integer(query) ||
        json_integer_value(query) < 0)
        return false;
    free(endless->text);
    *endless = (struct check_endless){.kind = kinds[k],
                                      .text = check_strdup(text),
                                      .query = (size_t)json_integer_value(query)};
    return true;
}

static bool read_path(const json_t *root, struct check_path *path)
{
    const json_t *steps = json_object_get(root, "transitions"), *item;
    size_t i, max = 0;
    if (!json_is_array(steps) || !json_array_size(steps))
        return false;
    json_array_foreach(steps, i, item)
    {
        struct check_step step = {0};
        bool good = read_step(item, &step) &&
                    read_endless(json_object_get(item, "run"), &path->endless);
        ARRAY_PUSH(path->steps, path->n, max, step);
        if (!good)
            return false;
    }
    return true;
}

static bool read_options(const json_t *root, struct cli_program *program,
                         struct vm_options *machine)
{
    const json_t *options = json_object_get(root, "options");
    struct toggle toggles[TOGGLES];
    list_toggles(toggles, program, machine);
    for (int i = 0; i < TOGGLES; i++) {
        const json_t *value = json_object_get(options, toggles[i].name);
        if (!json_is_boolean(value))
            return false;
        *toggles[i].at = json_is_true(value);
    }
    program->coverage = json_is_true(json_object_get(options, "coverage"));
    const json_t *boot = json_object_get(options, "boot");
    const json_t *bytes = json_object_get(options, "max_object_bytes");
    const json_t *left_out = json_object_get(options, "left_out"); /* not in older traces */
    const char *entry = json_string_value(json_object_get(options, "entry"));
    if (!json_is_integer(boot) || !json_is_integer(bytes) || !entry)
        return false;
    program->boot_options = (uint32_t)json_integer_value(boot);
    machine->max_object_bytes = (size_t)json_integer_value(bytes);
    machine->left_out = (unsigned)json_integer_value(left_out);
    program->entry = check_strdup(entry);
    return true;
}

static bool read_root(const json_t *root, struct trace *trace)
{
    struct cli_program *program = &trace->program;
    const char *language = json_string_value(json_object_get(root, "language"));
    const json_t *verdict = json_object_get(root, "verdict");
    const char *message = json_string_value(json_object_get(verdict, "message"));
    const char *database = json_string_value(json_object_get(root, "database"));
    program->language = check_strdup(language);
    program->database = check_strdup(database);
    trace->verdict = check_strdup(message);
    return message && read_strings(root, "files", &program->files) && program->files.n &&
           read_strings(root, "compiler", &program->compiler) &&
           read_strings(root, "libraries", &program->libraries) &&
           read_strings(root, "inputs", &program->inputs) &&
           read_strings(root, "queries", &program->queries) &&
           read_strings(root, "arguments", &program->arguments) &&
           read_strings(root, "environment", &program->environment) &&
           read_options(root, program, &trace->machine) &&
           read_hash(json_object_get(root, "program"), &trace->hash) &&
           read_path(root, &trace->path);
}

char *trace_read(const char *file, struct trace *trace)
{
    json_error_t error;
    if (access(file, R_OK) != 0)
        return check_format("%s: %s", file, strerror(errno));
    json_t *root = json_load_file(file, 0, &error);
    if (!root)
        return check_format("%s is not a trace: line %d: %s", file, error.line, error.text);
    const json_t *format = json_object_get(root, "divm_trace");
    const char *version = json_string_value(json_object_get(root, "version"));
    char *why = NULL;
    if (!json_is_integer(format) || !version)
        why = check_format("%s is not a trace of divm", file);
    else if (json_integer_value(format) != TRACE_FORMAT || strcmp(version, CHECK_VERSION))
        why =
            check_format("%s was written by divm %s, this is %s", file, version, CHECK_VERSION);
    else if (!read_root(root, trace))
        why = check_format("%s is damaged: a field is missing or wrong", file);
    json_decref(root);
    return why;
}

void trace_fini(struct trace *trace)
{
    cli_program_fini(&trace->program);
    check_path_fini(&trace->path);
    free(trace->verdict);
    free(trace->location);
}
