/* notes.c - assumptions and limits of a result, beside the verdict itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/memory.h"
#include "checker/program.h"
#include "checker/report/notes.h"
#include "checker/report/report.h"
#include "checker/search/check.h"
#include "vm/vm.h"

/* Adds a text, which may have a place in the source; takes it. */
static void add(json_t *notes, char *text)
{
    if (text)
        json_array_append_new(notes, report_json_text(text, strlen(text)));
    free(text);
}

char *notes_weak(const struct vm_weak *weak, const char *what)
{
    char more[32] = "", *text;
    if (weak->places > 1)
        snprintf(more, sizeof more, " (and %u more)", weak->places - 1);
    int n = asprintf(&text, "%s: an atomic %s%s: %s", weak->where,
                     weak->order ? "weaker than seq_cst" : "whose order is given at run time",
                     more, what);
    return n < 0 ? NULL : text;
}

static char *unprototyped(const char *name)
{
    char *text;
    int n = asprintf(&text,
                     "%s is defined without a prototype: a call with more arguments than it "
                     "takes is accepted",
                     name);
    return n < 0 ? NULL : text;
}

static char *hidden(bool all, bool as_written)
{
    char *text;
    int n = asprintf(
        &text,
        "the program hides pointers (packed, in pieces, in files, computed): searched with "
        "%s%s",
        all ? "all objects shared" : "every object shared whose address became a number",
        as_written ? "; with -O1 there are usually fewer states" : "");
    return n < 0 ? NULL : text;
}

static bool was_dropped(const struct check_result *result, enum vm_assumption assumption)
{
    return result->broken >> assumption & 1;
}

static char *strong_exchanges(const struct check_result *result)
{
    bool dropped =
        was_dropped(result, VM_ASSUMES_ADDRESSES) || was_dropped(result, VM_ASSUMES_IDS);
    return check_format("weak compare-exchanges were taken not to fail spuriously%s; "
                        "--spurious-failures=yes has them fail",
                        dropped ? ", since loops that try again may have states without end"
                                : "");
}

json_t *notes_json(const struct cli_program *options, const struct vm_program *program,
                   const struct check_result *result)
{
    static const char *const checked[] = {
        [VM_MODEL_SC] = "checked under sequential consistency only",
        [VM_MODEL_C11] = "checked under C11's memory model",
        [VM_MODEL_TSO] = "checked under x86-TSO, whatever it says"};
    json_t *notes = json_array();
    const char *name = program ? vm_program_unprototyped(program) : NULL;
    if (options->boot_options & VM_BOOT_PROMPT)
        add(notes,
            check_strdup("--clock=prompt: timeouts that fire while another thread can run "
                         "were not checked"));
    bool forks = result->model == VM_MODEL_SC && result->machine.weak_memory;
    if (result->weak && result->outcome != CHECK_ERROR)
        add(notes, notes_weak(result->weak,
                              forks ? "checked under sequential consistency only, since the "
                                      "program forks"
                              : result->states_by_c11
                                  ? "checked under C11's memory model, infinite runs under "
                                    "sequential consistency only"
                                  : checked[result->model]));
    if (name)
        add(notes, unprototyped(name));
    if (was_dropped(result, VM_ASSUMES_PRIVATE))
        add(notes, hidden(was_dropped(result, VM_ASSUMES_UNEXPOSED),
                          program && vm_program_as_written(program)));
    if (was_dropped(result, VM_ASSUMES_ADDRESSES))
        add(notes, check_strdup("the program uses addresses as numbers: searched without heap "
                                "symmetry, which may take more states"));
    if (result->strong_exchanges && result->outcome != CHECK_ERROR)
        add(notes, strong_exchanges(result));
    if (result->large_atomics && result->outcome != CHECK_ERROR)
        add(notes,
            check_format("atomic objects that no instruction accesses, of odd sizes or more "
                         "than 16 bytes, were taken to show their last value only"));
    return notes;
}

void notes_print(const struct cli_program *options, const struct vm_program *program,
                 const struct check_result *result)
{
    json_t *notes = notes_json(options, program, result), *note;
    size_t k;
    json_array_foreach(notes, k, note)
        fprintf(stderr, "divm: note: %s\n", json_string_value(note));
    json_decref(notes);
}
