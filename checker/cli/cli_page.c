/* cli_page.c - the page that --output-html asks for. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/cli/cli.h"
#include "checker/cli/cli_page.h"
#include "checker/memory.h"
#include "checker/report/notes.h"
#include "checker/report/page.h"
#include "checker/report/report.h"

/* Returns the page's file for a test case: "report.CASE.html" for "report.html". */
char *cli_page_name(const struct cli *cli, const char *test)
{
    static const char suffix[] = ".html";
    const char *file = cli->value[OPT_OUTPUT_HTML].text;
    if (!file || !test)
        return check_strdup(file);
    size_t n = strlen(file), end = sizeof suffix - 1;
    bool html = n > end && !strcmp(file + n - end, suffix);
    size_t base = html ? n - end : n;
    char *name = check_format("%.*s.%s%s", (int)base, file, test, html ? suffix : "");
    for (char *at = name + base; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
            *at = '_';
    return name;
}

bool cli_shows_all(const struct cli *cli)
{
    return cli->value[OPT_TRACE].number == REPORT_FULL;
}

bool cli_page(const struct cli *cli, const struct cli_page *what)
{
    char *file = cli_page_name(cli, what->test);
    if (!file)
        return true;
    char *again = what->trace ? check_format("divm replay %s", what->trace) : NULL;
    char *hint = what->cex ? hint_of(cli, what->cex) : NULL;
    json_t *notes = notes_json(what->options, what->program, what->result);
    struct page page = {
        .title = what->test ? what->test : check_basename(what->options->files.at[0]),
        .result = what->result,
        .search = what->search,
        .cex = what->cex,
        .all = cli_shows_all(cli),
        .moments = what->moments,
        .notes = notes,
        .hint = hint,
        .replay = again,
        .orders = what->orders,
    };
    bool good = page_write(&page, file);
    json_decref(notes);
    free(again);
    free(hint);
    free(file);
    return good;
}
