/* cli.c - parsing the command line by the table in options.def. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/build/cc.h"
#include "checker/cli/cli.h"
#include "checker/cli/option_kind.h"
#include "checker/memory.h"
#include "checker/nearest.h"
#include "checker/program.h"
#include "checker/query/set.h"
#include "checker/search/check.h"

struct option {
    char letter;
    const char *name; /* a name that begins with a dash has no other */
    enum option_kind kind;
    const char *argument;
    double start;
    unsigned commands;
};

static const struct option options[OPT_COUNT] = {
#define OPTION(id, short, name, kind, argument, start, commands, help) \
    [OPT_##id] = {short, name, kind, argument, start, commands},
#include "options.def"
};

static const char *const reductions[RED_COUNT] = {
#define REDUCTION(id, name, help) [RED_##id] = name,
#include "reductions.def"
};

static const char *const caches[CACHE_COUNT] = {
#define CACHE(id, name, help) [CACHE_##id] = name,
#include "caches.def"
};

static const struct alias {
    enum cli_option id;
    const char *old, *name;
} aliases[] = {
#define ALIAS(option, old, name) {OPT_##option, old, name},
#include "aliases.def"
};

/* The switches of an option of the kind NAMES. */
struct names {
    const char *const *at;
    size_t n;
};

static struct names names_of(enum cli_option id)
{
    return id == OPT_CACHE ? (struct names){caches, CACHE_COUNT}
                           : (struct names){reductions, RED_COUNT};
}

void cli_fini(struct cli *cli)
{
    cli_program_fini(&cli->program);
    strings_fini(&cli->texts);
    strings_fini(&cli->weights);
    free(cli->again);
    file_options_fini(&cli->file_options);
}

/* ---- the nearest name ------------------------------------------------------------ */

/* Ends a message's line; nearest: NULL if nothing is near. */
static bool did_you_mean(const char *nearest)
{
    if (nearest)
        fprintf(stderr, "; did you mean %s?\n", nearest);
    else
        fputc('\n', stderr);
    return false;
}

static bool can_negate(const struct option *option)
{
    return option->kind == FLAG || option->kind == COUNT || option->kind == YESNO ||
           option->kind == PICK || option->kind == NAMES ||
           (option->kind == TEXT && option->start != 0);
}

/* Says that the command has no such option, and which one may be meant. */
static bool unknown_option(const struct cli_command *command, const char *arg)
{
    const char *names[OPT_COUNT], *word = arg + strspn(arg, "-");
    bool negated = !strncmp(word, "no-", 3);
    size_t n = 0;
    for (size_t i = 0; i < OPT_COUNT; i++)
        if (options[i].commands & command->bit && (!negated || can_negate(&options[i])))
            names[n++] = options[i].name;
    cli_unknown_option(command, arg, names, n);
    return false;
}

/* Has the argument one dash, and then the name of an option that begins with two?  -max-time=5m
 * would be a feature of the processor otherwise, and -leaks a library. */
static bool lacks_a_dash(const char *arg)
{
    size_t n = strcspn(arg, "=");
    if (arg[1] == '-' || n < 4 || cc_is_option(arg))
        return false;
    for (size_t i = 0; i < OPT_COUNT; i++)
        if (strlen(options[i].name) == n - 1 && !strncmp(options[i].name, arg + 1, n - 1))
            return true;
    return false;
}

/* ---- values ---------------------------------------------------------------------- */

/* Parses a number with the unit letters of its kind. */
static bool parse_number(const char *text, enum option_kind kind, double *number)
{
    static const struct {
        enum option_kind kind;
        const char *letters;
        double times[3];
    } units[] = {
        {SIZE, "KMG", {1e3, 1e6, 1e9}},
        {TIME, "smh", {1, 60, 3600}},
    };
    char *end;
    *number = strtod(text, &end);
    if (end == text || !isfinite(*number) || *number < 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units && *end; i++) {
        const char *letter = units[i].kind == kind ? strchr(units[i].letters, *end) : NULL;
        if (letter) {
            *number *= units[i].times[letter - units[i].letters];
            end++;
        }
    }
    bool whole = kind == TIME || *number == floor(*number);
    return !*end && whole && *number <= 1e18 &&
           ((kind != NUMBER && kind != COUNT) || *number >= 1);
}

/* Returns the index of a word in "a|b|c", or -1. */
static int parse_choice(const char *words, const char *text)
{
    size_t n = strlen(text);
    for (int i = 0;; i++) {
        size_t length = strcspn(words, "|");
        if (length == n && !strncmp(words, text, n))
            return i;
        if (!words[length])
            return -1;
        words += length + 1;
    }
}

/* Returns the switches of an option of the kind NAMES, one for each name. */
static bool *switches_of(struct cli *cli, enum cli_option id)
{
    return id == OPT_CACHE ? cli->cache : cli->reduction;
}

static void set_all(struct cli *cli, enum cli_option id, bool on)
{
    bool *switches = switches_of(cli, id);
    for (size_t i = 0; i < names_of(id).n; i++)
        switches[i] = on;
}

static bool unknown_name(enum cli_option id, const char *name)
{
    struct names names = names_of(id);
    const char *nearest = check_nearest(name, names.at, names.n);
    fprintf(stderr, "divm: --%s: there is no %s", options[id].name, name);
    if (nearest)
        return did_you_mean(nearest);
    fputs("; see divm verify --help for the names\n", stderr);
    return false;
}

static const char *present_name(enum cli_option id, const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (aliases[i].id == id && !strcmp(name, aliases[i].old))
            return aliases[i].name;
    return name;
}

/* Sets one name of a list.  The first decides what the list starts from. */
static bool set_name(struct cli *cli, enum cli_option id, const char *word, bool first)
{
    struct names names = names_of(id);
    bool on = strncmp(word, "no-", 3) != 0;
    const char *name = present_name(id, word + (on ? 0 : 3));
    if (!strcmp(word, "all") || !strcmp(word, "none")) {
        set_all(cli, id, *word == 'a');
        return true;
    }
    if (first)
        set_all(cli, id, !on);
    for (size_t i = 0; i < names.n; i++)
        if (!strcmp(name, names.at[i])) {
            switches_of(cli, id)[i] = on;
            return true;
        }
    return unknown_name(id, name);
}

static bool set_names(struct cli *cli, enum cli_option id, const char *list)
{
    char *copy = check_strdup(list), *rest = copy, *word;
    bool first = true, good = copy;
    while (good && (word = strsep(&rest, ","))) {
        good = set_name(cli, id, word, first);
        first = false;
    }
    free(copy);
    return good;
}

/* Prints "a|b|c" as "a, b or c". */
static void print_choices(const char *choices)
{
    for (const char *at = choices; *at;) {
        size_t n = strcspn(at, "|");
        bool last = !at[n], before_last = !last && !strchr(at + n + 1, '|');
        fprintf(stderr, "%.*s%s", (int)n, at, last ? "" : before_last ? " or " : ", ");
        at += last ? n : n + 1;
    }
}

/* Returns the word of "a|b|c" that is nearest to the text, malloc'ed; NULL if none is near. */
static char *nearest_choice(const char *choices, const char *text)
{
    enum { MOST = 16 };
    const char *words[MOST];
    size_t n = 0;
    char *copy = check_strdup(choices), *rest = copy;
    while (copy && rest && n < MOST)
        words[n++] = strsep(&rest, "|");
    const char *nearest = check_nearest(text, words, n);
    char *found = check_strdup(nearest);
    free(copy);
    return found;
}

static bool bad_choice(const char *choices, const char *text)
{
    char *nearest = nearest_choice(choices, text);
    print_choices(choices);
    did_you_mean(nearest);
    free(nearest);
    return false;
}

static bool bad_value(const struct option *option, const char *text)
{
    static const char *const wanted[] = {
        [NUMBER] = "a whole number from 1 on",
        [COUNT] = "a whole number from 1 on",
        [SIZE] = "a size such as 500, 64K, 2M or 4G",
        [TIME] = "a time such as 30, 30s, 5m or 1h",
        [VARIABLE] = "NAME=VALUE",
        [FRACTION] = "a number between 0 and 1",
        [WEIGHTED] = "FUNCTION:W, with a number W > 0",
    };
    const char *dashes = *option->name == '-' ? "" : "--";
    fprintf(stderr, "divm: %s%s=%s: expected ", dashes, option->name, text);
    if (option->kind == CHOICE || option->kind == PICK || option->kind == YESNO)
        return bad_choice(option->kind == YESNO ? "yes|no" : option->argument, text);
    bool counts = option->kind == SIZE && !strcmp(option->argument, "N");
    fprintf(stderr, "%s\n",
            counts ? "a whole number such as 3, 500 or 20K" : wanted[option->kind]);
    return false;
}

static void pass_on(struct strings *list, const struct option *option, const char *text)
{
    char *joined;
    bool apart = !strcmp(option->name, "-include") || !strcmp(option->name, "-Xclang");
    if (apart) {
        strings_add(list, option->name);
        strings_add(list, text);
        return;
    }
    joined =
        check_format("%s%s%s", option->name, strcmp(option->name, "-std") ? "" : "=", text);
    strings_add(list, joined);
    free(joined);
}

static void add_input(struct strings *list, const struct option *option, const char *text)
{
    char *joined = check_format("--%s=%s", option->name, text);
    strings_add(list, joined);
    free(joined);
}

static bool is_weight(const char *text)
{
    const char *colon = strrchr(text, ':');
    char *end;
    double weight = colon && colon > text ? strtod(colon + 1, &end) : 0;
    return weight > 0 && isfinite(weight) && !*end;
}

/* Adds a query.  What it says of the program is checked when the program is loaded. */
static bool add_query(struct strings *list, const struct option *option, const char *text)
{
    struct strings one = {0};
    char *error;
    add_input(&one, option, text);
    add_input(list, option, text);
    query_set_free(query_set_new(&one, &error));
    strings_fini(&one);
    if (error)
        fprintf(stderr, "divm: %s\n", error);
    bool good = !error;
    free(error);
    return good;
}

static bool set_value(struct cli *cli, enum cli_option id, const char *text)
{
    const struct option *option = &options[id];
    struct cli_value *value = &cli->value[id];
    int index;
    char *end;
    value->given = true;
    switch (option->kind) {
    case FLAG: value->number = 1; return true;
    case YESNO:
        index = parse_choice("no|yes", text);
        value->number = index;
        return index >= 0 || bad_value(option, text);
    case CHOICE:
        index = parse_choice(option->argument, text);
        value->number = index;
        return index >= 0 || bad_value(option, text);
    case PICK:
        index = parse_choice(option->argument, text);
        value->number = index + 1;
        return index >= 0 || bad_value(option, text);
    case NUMBER:
    case COUNT:
    case SIZE:
    case TIME:
        return parse_number(text, option->kind, &value->number) || bad_value(option, text);
    case TEXT:
        strings_add(&cli->texts, text);
        value->text = cli->texts.at[cli->texts.n - 1];
        value->number = 1;
        return true;
    case NAMES: return set_names(cli, id, text);
    case COMPILER: pass_on(&cli->program.compiler, option, text); return true;
    case LIBRARY: pass_on(&cli->program.libraries, option, text); return true;
    case INPUT: add_input(&cli->program.inputs, option, text); return true;
    case VARIABLE:
        strings_add(&cli->program.environment, text);
        return strchr(text, '=') || bad_value(option, text);
    case FRACTION:
        value->number = strtod(text, &end);
        return (end != text && !*end && value->number > 0 && value->number < 1) ||
               bad_value(option, text);
    case WEIGHTED:
        strings_add(&cli->weights, text);
        return is_weight(text) || bad_value(option, text);
    case QUERY: return add_query(&cli->program.queries, option, text);
    }
    return false;
}

/* Does --no-NAME. */
static bool negate(struct cli *cli, enum cli_option id)
{
    cli->value[id] = (struct cli_value){.given = true};
    if (options[id].kind == NAMES)
        set_all(cli, id, false);
    return true;
}

/* ---- arguments ------------------------------------------------------------------- */

struct arguments {
    char **at;
    int n, next;
    bool lenient;      /* not of this command line: options of other commands are skipped */
    const char *place; /* of a file that they stand in, or NULL */
    char **again;      /* where words go that any search of the program takes, or NULL */
};

/* Finds the option that an argument names, and the value behind it in the same word.  Returns
 * OPT_COUNT if there is none. */
static enum cli_option find_option(const char *arg, const char **value, bool *negated)
{
    *value = NULL;
    *negated = false;
    bool two = arg[1] == '-';
    const char *word = two ? arg + 2 : arg;
    size_t n = strcspn(word, "=");
    for (int i = 0; i < OPT_COUNT; i++) {
        const char *name = options[i].name;
        bool compiler = *name == '-';
        if ((!two && !compiler) || (two && compiler) || strlen(name) != n ||
            strncmp(name, word, n))
            continue;
        *value = word[n] ? word + n + 1 : NULL;
        return (enum cli_option)i;
    }
    for (int i = 0; two && !strncmp(word, "no-", 3) && i < OPT_COUNT; i++) {
        if (can_negate(&options[i]) && !strcmp(options[i].name, word + 3)) {
            *negated = true;
            return (enum cli_option)i;
        }
    }
    for (int i = 0; !two && i < OPT_COUNT; i++) {
        bool flag = options[i].kind == FLAG;
        if (options[i].letter != arg[1] || (flag && arg[2]))
            continue;
        *value = arg[2] ? arg + 2 : NULL;
        return (enum cli_option)i;
    }
    return OPT_COUNT;
}

/* Is the argument perhaps one of cc_options.def, as "-pie" is, though -p has a value? */
static bool is_of_compilers(const struct cli *cli, const struct option *option, const char *arg)
{
    bool longer = arg[1] != '-' && arg[2];
    return cli->command->bit & (VERIFY | SIMULATE | PROBABILITY | RUN) &&
           (!option || option->kind == COMPILER || (longer && option->kind != LIBRARY));
}

/* May the option stand in a file?  Whoever verifies a file trusts it as far as its own options
 * go: they neither write files nor give clang what it would load. */
static bool may_stand_in_files(enum cli_option id, const char *arg)
{
    static const enum cli_option not[] = {OPT_TRACE_FILE, OPT_SPILL, OPT_PROFILE,
                                          OPT_XCLANG,     OPT_HELP,  OPT_FILE_OPTIONS,
                                          OPT_CHECKPOINT, OPT_RESUME};
    static const char *const words[] = {
        "--output-", "-fplugin",       "-fpass-plugin",     "-mllvm",
        "-B",        "-Xpreprocessor", "-working-directory"};
    for (size_t i = 0; i < sizeof not/ sizeof *not; i++)
        if (id == not[i])
            return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(arg, words[i], strlen(words[i])))
            return false;
    return true;
}

static bool parse_option(struct cli *cli, struct arguments *args, const char *arg)
{
    const char *value;
    char number[32];
    bool negated;
    enum cli_option id = find_option(arg, &value, &negated);
    const struct option *option = id < OPT_COUNT ? &options[id] : NULL;
    if (args->place && !may_stand_in_files(id, arg)) {
        fprintf(stderr, "divm: %s: %s may stand on the command line only\n", args->place, arg);
        return false;
    }
    bool ours = option && option->commands & cli->command->bit;
    if (lacks_a_dash(arg))
        return unknown_option(cli->command, arg);
    if (is_of_compilers(cli, ours ? option : NULL, arg)) {
        const char *next = args->next < args->n ? args->at[args->next] : NULL;
        size_t words = cc_take(&cli->program.compiler, arg, next);
        args->next += words == 2;
        if (words)
            return true;
    }
    if (!option || (!ours && !args->lenient) ||
        (id == OPT_DATABASE && value && arg[1] != '-' && cli_is_misspelt(arg)))
        return unknown_option(cli->command, arg);
    bool wants = !negated && option->kind != FLAG;
    if (value && !wants) {
        fprintf(stderr, "divm: %.*s takes no value\n", (int)strcspn(arg, "="), arg);
        return false;
    }
    /* "-O" and "--leaks" may stand alone */
    if (wants && !value && option->letter == 'O')
        value = "1";
    else if (wants && !value && option->kind == YESNO)
        value = "yes";
    else if (wants && !value && option->kind == PICK)
        snprintf(number, sizeof number, "%.*s", (int)strcspn(option->argument, "|"),
                 option->argument),
            value = number;
    else if (wants && !value && option->kind == COUNT)
        snprintf(number, sizeof number, "%.0f", option->start), value = number;
    else if (wants && !value && args->next < args->n)
        value = args->at[args->next++];
    if (wants && !value) {
        fprintf(stderr, "divm: %s requires a value\n", arg);
        return false;
    }
    if (!(option->commands & cli->command->bit))
        return true;
    return negated ? negate(cli, id) : set_value(cli, id, value);
}

/* Keeps the words from one that was parsed up to the next.  Options of one way to search stay
 * away, and so does a bound of which the other one makes something else; a test case is named
 * anew. */
static void keep_words(const struct arguments *args, int from)
{
    const char *value;
    bool negated;
    bool option = args->at[from][0] == '-' && args->at[from][1] && strcmp(args->at[from], "--");
    enum cli_option id = option ? find_option(args->at[from], &value, &negated) : OPT_COUNT;
    const unsigned both = VERIFY | SIMULATE;
    if (!args->again || id == OPT_MAX_DEPTH || id == OPT_FORMAT || id == OPT_FILTER ||
        (id < OPT_COUNT && (options[id].commands & both) != both))
        return;
    for (int i = from; i < args->next; i++)
        again_add(args->again, args->at[i]);
}

static bool parse_arguments(struct cli *cli, struct arguments *args)
{
    while (args->next < args->n) {
        int from = args->next;
        const char *arg = args->at[args->next++];
        bool option = *arg == '-' && arg[1] && strcmp(arg, "--") != 0;
        if (args->place && !option) {
            fprintf(stderr, "divm: %s: %s is no option\n", args->place, arg);
            return false;
        }
        if (!strcmp(arg, "--")) {
            /* "divm verify -- COMMAND ARGUMENT...", as build systems call what they wrap */
            if (!cli->program.files.n && args->next < args->n)
                strings_add(&cli->program.files, args->at[args->next++]);
            while (args->next < args->n)
                strings_add(&cli->program.arguments, args->at[args->next++]);
        } else if (!option) {
            strings_add(&cli->program.files, arg);
        } else if (!parse_option(cli, args, arg)) {
            return false;
        }
        keep_words(args, from);
    }
    return true;
}

/* Parses words that are quoted as in a shell; place: of the file that they stand in, or
 * NULL. */
static bool parse_text(struct cli *cli, const char *text, const char *place)
{
    struct strings words = {0};
    cc_split(text, &words);
    struct arguments args = {words.at, (int)words.n, 0, true, place, NULL};
    bool good = parse_arguments(cli, &args);
    strings_fini(&words);
    return good;
}

static bool parse_environment(struct cli *cli)
{
    const char *text = getenv("DIVM_OPTIONS");
    bool good = !text || parse_text(cli, text, NULL);
    if (!good)
        fputs("divm: (from the environment variable DIVM_OPTIONS)\n", stderr);
    return good;
}

/* Parses the options that stand in the files, unless the command has none. */
static bool parse_files(struct cli *cli, const struct strings *files)
{
    struct file_options *found = &cli->file_options;
    bool good = true;
    if (cli->command->bit & (VERIFY | SIMULATE | PROBABILITY | RUN))
        file_options_read(found, files);
    for (size_t i = 0; i < found->texts.n && good; i++) {
        good = parse_text(cli, found->texts.at[i], found->places.at[i]);
        if (!good)
            fprintf(stderr, "divm: (from %s)\n", found->places.at[i]);
    }
    return good;
}

/* Checks options that a search cannot do without, or has no use for.  The search by executions
 * takes it that a thread that was just made needs no turn, and keeps no states. */
static bool check_search(const struct cli *cli)
{
    int64_t search = (int64_t)cli->value[OPT_SEARCH].number;
    bool executions = search == CHECK_DPOR;
    bool saves = cli->value[OPT_CHECKPOINT].text || cli->value[OPT_RESUME].text;
    const char *wrong = NULL;
    if (executions && !cli->reduction[RED_EAGER])
        wrong = "--search=dpor requires the reduction eager";
    else if (executions && cli->value[OPT_STORE].number)
        wrong = "--store=exact: --search=dpor keeps no states";
    else if ((executions || search == CHECK_DFS) && cli->value[OPT_SPILL].text)
        wrong = "--spill: only --search=bfs and auto write open states to a file";
    else if (search != CHECK_BFS && saves && cli->value[OPT_CONTINUE].number)
        wrong = "--checkpoint, --resume: together with --continue only with --search=bfs";
    else if (executions && cli->program.queries.n)
        wrong = "--never, --reach: --search=dpor keeps no states to ask: take bfs or auto";
    else if (search == CHECK_DFS && saves)
        wrong = "--checkpoint, --resume: not with --search=dfs";
    if (cli->value[OPT_PREEMPTIONS].given)
        wrong = cli->value[OPT_SEARCH].given      ? "--preemptions: goes without --search"
                : cli->value[OPT_STORE].number    ? "--preemptions: goes without --store=exact"
                : cli->value[OPT_SPILL].text      ? "--preemptions: goes without --spill"
                : cli->value[OPT_CONTINUE].number ? "--preemptions: goes without --continue"
                : saves ? "--preemptions: goes without --checkpoint and --resume"
                        : wrong;
    if (saves && (cli->value[OPT_COVERAGE].number || cli->value[OPT_OUTPUT_LCOV].text))
        wrong =
            "--coverage, --output-lcov: a checkpoint does not keep what was covered before it";
    if (cli->value[OPT_WEAKEN].number && cli->value[OPT_MEMORY].number == 1)
        wrong = "--weaken: --memory=sc does not tell weaker orders from stronger ones";
    bool orders = cli->value[OPT_WEAKEN].number || cli->value[OPT_EXPLAIN_ORDERS].number;
    if (orders && cli->value[OPT_MEMORY].number == 2)
        wrong = "--explain-orders, --weaken: --memory=tso goes by x86's instructions, not by "
                "orders";
    if (wrong)
        fprintf(stderr, "divm: %s\n", wrong);
    return !wrong;
}

bool cli_asks_infinite_runs(const struct cli *cli)
{
    return cli->value[OPT_LTL].given || cli->value[OPT_ALWAYS_EVENTUALLY].given ||
           cli->value[OPT_MONITOR].given || cli->value[OPT_FAIR].number;
}

/* Checks options that do not go with questions about infinite runs. */
static bool check_infinite_runs(const struct cli *cli)
{
    const struct cli_value *value = cli->value;
    enum { TSO = 2, C11 };
    if (!cli_asks_infinite_runs(cli))
        return true;
    if (value[OPT_MONITOR].given &&
        (value[OPT_LTL].given || value[OPT_ALWAYS_EVENTUALLY].given)) {
        fprintf(stderr,
                "divm: --monitor goes without --ltl and --always-eventually: it may leave "
                "out runs that they are about\n");
        return false;
    }
    const char *with = value[OPT_MEMORY].number >= TSO ? "--memory=tso and --memory=c11"
                       : value[OPT_SEARCH].given       ? "--search"
                       : value[OPT_PREEMPTIONS].given  ? "--preemptions"
                       : value[OPT_STORE].number       ? "--store=exact"
                       : value[OPT_WEAKEN].number || value[OPT_EXPLAIN_ORDERS].number
                           ? "--weaken and --explain-orders"
                       : value[OPT_CHECKPOINT].text || value[OPT_RESUME].text
                           ? "--checkpoint and --resume"
                           : NULL;
    if (with)
        fprintf(stderr,
                "divm: --ltl, --always-eventually, --monitor and --fair go without %s\n", with);
    return !with;
}

static void begin(struct cli *cli)
{
    for (int i = 0; i < OPT_COUNT; i++)
        cli->value[i] =
            (struct cli_value){.number = options[i].kind == COUNT ? 0 : options[i].start};
    set_all(cli, OPT_REDUCTION, true);
    set_all(cli, OPT_CACHE, true);
}

/* Parses all options.  Those in files go before the environment's and those of the command
 * line, which tell what the files are: so these are parsed twice. */
bool cli_parse(struct cli *cli, int argc, char **argv)
{
    struct cli first = {.command = cli->command};
    struct arguments args = {argv, argc, 0, false, NULL, NULL};
    begin(&first);
    begin(cli);
    bool good = parse_environment(&first) && parse_arguments(&first, &args);
    if (good && first.value[OPT_FILE_OPTIONS].number != 0)
        good = parse_files(cli, &first.program.files);
    args.next = 0;
    args.again = &cli->again;
    good = good && parse_environment(cli) && parse_arguments(cli, &args) && check_search(cli) &&
           check_infinite_runs(cli);
    /* A thread that steps eagerly preempts nobody, and could have come later only by a
     * preemption. */
    if (cli_asks_infinite_runs(cli))
        cli->reduction[RED_EAGER] = false;
    if (cli->value[OPT_PREEMPTIONS].given)
        cli->reduction[RED_EAGER] = cli->reduction[RED_THREAD_SYMMETRY] = false;
    cli_fini(&first);
    return good;
}
