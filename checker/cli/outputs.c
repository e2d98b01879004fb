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

/* Can the file be written?  False after a message. */
static bool can_write(const char *name, const char *file)
{
    if (!file)
        return true;
    bool existed = access(file, F_OK) == 0;
    FILE *out = fopen(file, "ae");
    if (out)
        fclose(out);
    if (out && !existed)
        unlink(file);
    if (!out)
        fprintf(stderr, "divm: --output-%s=%s: %s\n", name, file, strerror(errno));
    return out;
}

bool outputs_can_write(const struct cli *cli)
{
    for (size_t i = 0; i < OUTPUTS; i++)
        if (!can_write(all[i].name, cli->value[all[i].option].text))
            return false;
    return can_write("lcov", cli->value[OPT_OUTPUT_LCOV].text) &&
           can_write("html", cli->value[OPT_OUTPUT_HTML].text); /* which cli_page.c writes */
}

void outputs_open(struct outputs *outputs, const struct cli *cli)
{
    *outputs = (struct outputs){.cli = cli, .suite = check_basename(cli->program.files.at[0])};
    junit_open(&outputs->junit);
    sarif_open(&outputs->sarif);
    witness_open(&outputs->witness);
}

static void add_error_to_sarif(struct sarif *sarif, const char *name, const struct cex *cex)
{
    if (check_exit_status(cex->kind) == CHECK_EXIT_REFUSED) {
        char *why = report_headline(cex);
        sarif_notify(sarif, "error", name, why);
        free(why);
    } else {
        sarif_add(sarif, name, cex);
    }
}

static void add_to_sarif(struct sarif *sarif, const char *name, const struct verification *v)
{
    char *why = report_incomplete(&v->result, &v->options);
    why = why ? why : report_cut(&v->result, &v->options);
    if (why) {
        char *text = check_format("incomplete: %s", why);
        sarif_notify(sarif, "warning", name, text);
        free(text);
        free(why);
    }
    for (size_t i = 0; i < verify_errors(v); i++)
        add_error_to_sarif(sarif, name, verify_cex(v, i));
    char *orders = orders_text(&v->orders);
    if (orders)
        sarif_notify(sarif, "note", name, orders);
    free(orders);
}

static void add_to_witness(struct outputs *outputs, const struct cex *cex)
{
    enum vm_fault_kind kind = cex->kind;
    bool wanted = outputs->cli->value[OPT_OUTPUT_WITNESS].text != NULL;
    if (!wanted || check_exit_status(kind) == CHECK_EXIT_REFUSED)
        return;
    if (cex_forks(cex))
        fprintf(
            stderr,
            "divm: note: a witness of SV-COMP cannot describe processes: no entry for: %s\n",
            vm_fault_text(kind));
    else if (witness_property(kind))
        witness_add(&outputs->witness, &outputs->cli->program.files, cex);
    else
        fprintf(stderr, "divm: note: SV-COMP has no property that this violates: %s\n",
                vm_fault_text(kind));
}

/* Adds another error of the same search, as a test case of its own. */
static void add_to_junit(struct outputs *outputs, const char *test,
                         const struct verification *v, const struct cex *cex)
{
    const struct cex_place *place = cex_user_place(&cex->stack);
    struct check_result result = v->result;
    char *name = place ? check_format("%s: %s at %s:%u", test, vm_fault_text(cex->kind),
                                      check_basename(place->file), place->line)
                       : check_format("%s: %s", test, vm_fault_text(cex->kind));
    result.stats.seconds = 0;
    junit_add(&outputs->junit, outputs->suite, name, outputs->cli->program.files.at[0], &result,
              &v->options, cex);
    free(name);
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
    for (size_t i = 1; i < verify_errors(v); i++)
        add_to_junit(outputs, test, v, verify_cex(v, i));
    add_to_sarif(&outputs->sarif, name, v);
    for (size_t i = 0; i < verify_errors(v); i++)
        add_to_witness(outputs, verify_cex(v, i));
}

bool outputs_write(const char *file, const char *text)
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
        good = (!file || outputs_write(file, text)) && good;
        free(text);
    }
    return good || status != CHECK_EXIT_OK ? status : CHECK_EXIT_REFUSED;
}
