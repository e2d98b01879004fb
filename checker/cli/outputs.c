/* outputs.c - see outputs.h. */
#include "checker/cli/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/memory.h"
#include "checker/report/report.h"

struct output {
    enum cli_option option;
    const char *name;
    char *(*finish)(struct outputs *outputs, int status); /* malloc'ed */
};

static char *finish_junit(struct outputs *outputs, int status)
{
    (void)status;
    return junit_close(&outputs->junit, outputs->suite);
}

static char *finish_sarif(struct outputs *outputs, int status)
{
    return sarif_close(&outputs->sarif, status);
}

static char *finish_witness(struct outputs *outputs, int status)
{
    (void)status;
    return witness_close(&outputs->witness);
}

static const struct output all[] = {
#define OUTPUT(id, name, finish) {OPT_OUTPUT_##id, name, finish},
#include "outputs.def"
};
enum { OUTPUTS = sizeof all / sizeof *all };

static bool can_write(const char *file)
{
    bool existed = access(file, F_OK) == 0;
    FILE *out = fopen(file, "ae");
    if (out)
        fclose(out);
    if (out && !existed)
        unlink(file);
    return out;
}

bool outputs_can_write(const struct cli *cli)
{
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *file = cli->value[all[i].option].text;
        if (!file || can_write(file))
            continue;
        fprintf(stderr, "divm: --output-%s=%s: %s\n", all[i].name, file, strerror(errno));
        return false;
    }
    return true;
}

void outputs_open(struct outputs *outputs, const struct cli *cli)
{
    *outputs = (struct outputs){.cli = cli, .suite = check_basename(cli->program.files.at[0])};
    junit_open(&outputs->junit);
    sarif_open(&outputs->sarif);
    witness_open(&outputs->witness);
}

static void add_to_sarif(struct sarif *sarif, const char *name, const struct verification *v)
{
    if (v->result.outcome == CHECK_OK)
        return;
    if (v->result.outcome != CHECK_ERROR) {
        char *why = report_incomplete(&v->result, &v->options);
        char *text = check_format("incomplete: %s", why);
        sarif_notify(sarif, "warning", name, text);
        free(why);
        free(text);
    } else if (check_exit_status(v->cex.kind) == CHECK_EXIT_REFUSED) {
        char *why = report_headline(&v->cex);
        sarif_notify(sarif, "error", name, why);
        free(why);
    } else {
        sarif_add(sarif, name, &v->cex);
    }
}

static void add_to_witness(struct outputs *outputs, const struct verification *v)
{
    enum vm_fault_kind kind = v->cex.kind;
    bool wanted = outputs->cli->value[OPT_OUTPUT_WITNESS].text != NULL;
    if (!wanted || v->result.outcome != CHECK_ERROR ||
        check_exit_status(kind) == CHECK_EXIT_REFUSED)
        return;
    if (witness_property(kind))
        witness_add(&outputs->witness, &outputs->cli->program.files, &v->cex);
    else
        fprintf(stderr, "divm: note: SV-COMP has no property that this violates: %s\n",
                vm_fault_text(kind));
}

void outputs_add(struct outputs *outputs, const char *name, const struct verification *v)
{
    const char *test = name ? name : outputs->suite;
    const char *file = outputs->cli->program.files.at[0];
    if (!v) {
        junit_add(&outputs->junit, outputs->suite, test, file, NULL, NULL, NULL);
        return;
    }
    junit_add(&outputs->junit, outputs->suite, test, file, &v->result, &v->options, &v->cex);
    add_to_sarif(&outputs->sarif, name, v);
    add_to_witness(outputs, v);
}

static bool write_text(const char *file, const char *text)
{
    FILE *out = fopen(file, "we");
    bool good = out && fputs(text, out) >= 0;
    good = out && fclose(out) == 0 && good;
    if (!good)
        fprintf(stderr, "divm: cannot write %s: %s\n", file, strerror(errno));
    return good;
}

int outputs_close(struct outputs *outputs, const json_t *notes, int status)
{
    bool good = true;
    for (size_t i = 0; i < json_array_size(notes); i++)
        sarif_notify(&outputs->sarif, "note", NULL,
                     json_string_value(json_array_get(notes, i)));
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *file = outputs->cli->value[all[i].option].text;
        char *text = all[i].finish(outputs, status);
        good = (!file || write_text(file, text)) && good;
        free(text);
    }
    return good || status != CHECK_EXIT_OK ? status : CHECK_EXIT_REFUSED;
}
