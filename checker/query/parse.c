/* parse.c - parses expressions, by recursive descent, as C has them. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/query/tree.h"

enum { MAX_DEPTH = 200 };

struct parser {
    struct query *query;
    const char *at;
    char *error;
    int depth;
};

struct node *query_node(struct query *query, enum node_kind kind, uint32_t column)
{
    struct node *node = check_zeros(1, sizeof *node);
    node->kind = kind;
    node->column = column;
    ARRAY_PUSH(query->nodes, query->n, query->max, node);
    return node;
}

static uint32_t column(const struct parser *p)
{
    return (uint32_t)(p->at - p->query->text + p->query->before) + 1;
}

static struct node *node(struct parser *p, enum node_kind kind, struct node *a, struct node *b)
{
    struct node *made = query_node(p->query, kind, a ? a->column : column(p));
    made->a = a;
    made->b = b;
    return made;
}

/* Returns NULL.  The first error counts. */
__attribute__((format(printf, 2, 3))) static struct node *fail(struct parser *p,
                                                               const char *format, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    if (!p->error)
        p->error = check_format("column %u: %s", column(p), text);
    return NULL;
}

static void skip(struct parser *p)
{
    p->at += strspn(p->at, " \t\n");
}

static bool take(struct parser *p, const char *token)
{
    skip(p);
    size_t n = strlen(token);
    if (strncmp(p->at, token, n) != 0)
        return false;
    p->at += n;
    return true;
}

static struct node *expect(struct parser *p, const char *token, struct node *value)
{
    if (!value || take(p, token))
        return value;
    return *p->at ? fail(p, "expected %s before %c", token, *p->at)
                  : fail(p, "expected %s at the end", token);
}

/* Is it a byte of a letter that UTF-8 has more of, as C has in names? */
static bool is_beyond_ascii(char c)
{
    return (unsigned char)c >= 0x80;
}

static bool begins_name(char c)
{
    return isalpha((unsigned char)c) || is_beyond_ascii(c) || c == '_' || c == '$' || c == '~';
}

static size_t name_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || is_beyond_ascii(at[n]) || at[n] == '_' ||
           at[n] == '$')
        n++;
    return n;
}

static struct node *parse_or(struct parser *p);

/* ---- values ---------------------------------------------------------------------- */

static struct value_type integer(uint8_t size, bool is_signed)
{
    return (struct value_type){.kind = VALUE_INTEGER, .size = size, .is_signed = is_signed};
}

/* Returns the first of int, unsigned int (not of a decimal one), long, unsigned long that has
 * the number. */
static struct value_type type_of_number(uint64_t number, bool decimal, const char *suffix)
{
    bool no_sign = strpbrk(suffix, "uU"), is_long = strpbrk(suffix, "lL");
    if (!is_long && !no_sign && number <= INT32_MAX)
        return integer(4, true);
    if (!is_long && (no_sign || !decimal) && number <= UINT32_MAX)
        return integer(4, false);
    return integer(8, !no_sign && number <= INT64_MAX);
}

static struct node *parse_number(struct parser *p)
{
    struct node *made = node(p, NODE_NUMBER, NULL, NULL);
    char *end, *real_end, suffix[8] = "";
    made->number = strtoull(p->at, &end, 0);
    made->real = strtod(p->at, &real_end);
    bool hex = p->at[0] == '0' && (p->at[1] | 32) == 'x';
    if (real_end > end && !(hex && !strpbrk(p->at, ".pP"))) {
        made->type = (struct value_type){.kind = VALUE_FLOAT, .size = 8, .is_signed = true};
        p->at = real_end + ((*real_end | 32) == 'f');
    } else {
        size_t n = strspn(end, "uUlL");
        if (n < sizeof suffix)
            memcpy(suffix, end, n);
        made->type = type_of_number(made->number, *p->at != '0', suffix);
        made->is_null = !made->number;
        p->at = end + n;
    }
    if (name_length(p->at))
        return fail(p, "this is no number");
    return made;
}

static struct node *parse_character(struct parser *p)
{
    static const char from[] = "n0trabfv\\'\"", to[] = "\n\0\t\r\a\b\f\v\\'\"";
    struct node *made = node(p, NODE_NUMBER, NULL, NULL);
    made->type = integer(4, true);
    p->at++;
    char c = *p->at;
    if (c == '\\') {
        const char *escape = strchr(from, p->at[1]);
        if (!p->at[1] || !escape)
            return fail(p, "this escape is not known");
        c = to[escape - from];
        p->at++;
    }
    if (!*p->at || p->at[1] != '\'')
        return fail(p, "a character ends with '");
    p->at += 2;
    made->number = (uint64_t)(int64_t)c;
    return made;
}

/* ---- names and atoms ------------------------------------------------------------- */

/* Returns the length of one of LLVM's registers: "%x", "%3", "%x.addr". */
static size_t register_length(const char *at)
{
    size_t n = *at == '%';
    while (n && (name_length(at + n) || at[n] == '.'))
        n += at[n] == '.' ? 1 : name_length(at + n);
    return n > 1 ? n : 0;
}

/* Takes a name: "ns::f::x", with the arguments of templates as they are; "f::%x". */
static char *take_name(struct parser *p)
{
    const char *begin = p->at;
    for (;;) {
        p->at += *p->at == '~';
        size_t n = name_length(p->at);
        if (!n || isdigit((unsigned char)*p->at))
            return (void)fail(p, "expected a name"), NULL;
        p->at += n;
        const char *end = p->at;
        for (int open = 0; *end == '<' || open; end++) {
            open += (*end == '<') - (*end == '>');
            if (!*end)
                break;
        }
        if (*p->at == '<' && *end && end[-1] == '>' && end[0] == ':')
            p->at = end;
        if (strncmp(p->at, "::", 2) != 0)
            break;
        p->at += 2;
        size_t value = register_length(p->at);
        p->at += value;
        if (value)
            break;
    }
    return check_strndup(begin, (size_t)(p->at - begin));
}

/* Parses "@2". */
static struct node *parse_thread(struct parser *p, struct node *value)
{
    char *end;
    if (!value || !take(p, "@"))
        return value;
    skip(p);
    value->thread = strtoull(p->at, &end, 10);
    if (end == p->at || !value->thread)
        return fail(p, "expected the number of a thread, from 1 on");
    p->at = end;
    return value;
}

static struct node *parse_call(struct parser *p, struct node *made)
{
    skip(p);
    made->text = take_name(p);
    return parse_thread(p, expect(p, ")", made->text ? made : NULL));
}

static struct node *parse_place(struct parser *p, struct node *made)
{
    skip(p);
    size_t n = strcspn(p->at, ")");
    while (n && p->at[n - 1] == ' ')
        n--;
    char *text = check_strndup(p->at, n), *colon = strrchr(text, ':');
    bool good =
        colon && colon > text && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
    made->text = text;
    if (!good)
        return fail(p, "expected file:line");
    p->at += n;
    return parse_thread(p, expect(p, ")", made));
}

static struct node *parse_ended(struct parser *p, struct node *made)
{
    made->a = parse_or(p);
    return expect(p, ")", made->a ? made : NULL);
}

static struct node *parse_word(struct parser *p)
{
    static const struct {
        const char *name;
        enum node_kind kind;
        struct node *(*parse)(struct parser *p, struct node *made);
    } calls[] = {{"call", NODE_CALL, parse_call},
                 {"at", NODE_AT, parse_place},
                 {"ended", NODE_ENDED, parse_ended}};
    static const struct {
        const char *name;
        int64_t value;
    } constants[] = {{"true", 1}, {"false", 0}, {"NULL", -1}, {"nullptr", -1}};
    struct node *made = node(p, NODE_NAME, NULL, NULL);
    made->text = take_name(p);
    if (!made->text)
        return NULL;
    const char *behind = p->at;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (!strcmp(made->text, calls[k].name) && take(p, "(")) {
            free(made->text);
            made->text = NULL;
            made->kind = calls[k].kind;
            return calls[k].parse(p, made);
        }
    p->at = behind;
    if (!strcmp(made->text, "race") || !strcmp(made->text, "deadlock"))
        made->kind = *made->text == 'r' ? NODE_RACE : NODE_DEADLOCK;
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++)
        if (!strcmp(made->text, constants[k].name)) {
            made->kind = NODE_NUMBER;
            made->number = constants[k].value > 0;
            made->is_null = constants[k].value <= 0;
            made->type = integer(constants[k].value < 0 ? 8 : 4, true);
        }
    if (take(p, "("))
        return fail(p, "functions cannot be called here: call, at and ended are all that there "
                       "is");
    return made->kind == NODE_NAME ? parse_thread(p, made) : made;
}

/* ---- operators ------------------------------------------------------------------- */

static const char *const type_words[] = {
    "const",   "volatile", "struct",   "union",     "class",    "enum",
    "char",    "short",    "int",      "long",      "signed",   "unsigned",
    "float",   "double",   "bool",     "_Bool",     "int8_t",   "int16_t",
    "int32_t", "int64_t",  "uint8_t",  "uint16_t",  "uint32_t", "uint64_t",
    "size_t",  "ssize_t",  "intptr_t", "uintptr_t", "ptrdiff_t"};

static bool is_type_word(const char *at, size_t n)
{
    for (size_t k = 0; k < sizeof type_words / sizeof *type_words; k++)
        if (strlen(type_words[k]) == n && !strncmp(at, type_words[k], n))
            return true;
    return false;
}

/* Returns the length of a type's words behind "(", and how many * come behind them; 0: no type
 * stands here.  A single name is one if a * and ) follow, or ) and what can only be a value. */
static size_t type_length(const char *at, uint64_t *stars)
{
    size_t length = 0, words = 0, known = 0, n;
    const char *end = at;
    *stars = 0;
    while ((n = name_length(end)) && !isdigit((unsigned char)*end)) {
        known += is_type_word(end, n);
        words++;
        end += n;
        while (!strncmp(end, "::", 2) && (n = name_length(end + 2)))
            end += 2 + n;
        length = (size_t)(end - at);
        end += strspn(end, " ");
    }
    for (; *end == '*' || *end == ' '; end++)
        *stars += *end == '*';
    if (!words || *end != ')' || words > known + 1)
        return 0;
    const char *next = end + 1 + strspn(end + 1, " ");
    bool value = begins_name(*next) || isdigit((unsigned char)*next) || strchr("('!~", *next);
    return known || *stars || (*next && value) ? length : 0;
}

static struct node *parse_unary(struct parser *p);

static struct node *parse_cast(struct parser *p, uint32_t at, size_t length, uint64_t stars)
{
    char *text = check_strndup(p->at, length);
    p->at = strchr(p->at, ')') + 1;
    struct node *value = parse_unary(p);
    struct node *made = value ? node(p, NODE_CAST, value, NULL) : NULL;
    if (!made) {
        free(text);
        return NULL;
    }
    made->text = text;
    made->number = stars;
    made->column = at;
    return made;
}

static struct node *parse_primary(struct parser *p)
{
    skip(p);
    if (isdigit((unsigned char)*p->at) || (*p->at == '.' && isdigit((unsigned char)p->at[1])))
        return parse_number(p);
    if (*p->at == '\'')
        return parse_character(p);
    if (begins_name(*p->at) && *p->at != '~')
        return parse_word(p);
    if (take(p, "("))
        return expect(p, ")", parse_or(p));
    return *p->at ? fail(p, "expected a value before %c", *p->at)
                  : fail(p, "expected a value at the end");
}

static struct node *parse_member(struct parser *p, struct node *value, bool arrow)
{
    skip(p);
    struct node *made = node(p, NODE_MEMBER, value, NULL);
    size_t n = name_length(p->at);
    made->column = column(p);
    if (!n)
        return fail(p, "expected the name of a member");
    made->text = check_strndup(p->at, n);
    made->is_arrow = arrow;
    p->at += n;
    return made;
}

static struct node *parse_postfix(struct parser *p)
{
    struct node *value = parse_primary(p);
    while (value) {
        if (take(p, "[")) {
            struct node *index = expect(p, "]", parse_or(p));
            value = index ? node(p, NODE_INDEX, value, index) : NULL;
        } else if (take(p, "->")) {
            value = parse_member(p, value, true);
        } else if (take(p, ".")) {
            value = parse_member(p, value, false);
        } else {
            break;
        }
    }
    return value;
}

static struct node *parse_cast_or_postfix(struct parser *p)
{
    uint32_t at = column(p);
    uint64_t stars;
    size_t blanks = *p->at == '(' ? 1 + strspn(p->at + 1, " ") : 0;
    size_t length = blanks ? type_length(p->at + blanks, &stars) : 0;
    if (!length)
        return parse_postfix(p);
    p->at += blanks;
    if (++p->depth > MAX_DEPTH)
        return fail(p, "this is nested too deeply");
    struct node *value = parse_cast(p, at, length, stars);
    p->depth--;
    return value;
}

static struct node *parse_unary(struct parser *p)
{
    static const struct {
        char token;
        enum node_kind kind;
        enum node_op op;
    } operators[] = {{'!', NODE_UNARY, OP_NOT},        {'-', NODE_UNARY, OP_SUBTRACT},
                     {'+', NODE_UNARY, OP_ADD},        {'~', NODE_UNARY, OP_COMPLEMENT},
                     {'*', NODE_DEREFERENCE, OP_NONE}, {'&', NODE_ADDRESS, OP_NONE}};
    skip(p);
    uint32_t at = column(p);
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
        if (*p->at != operators[k].token)
            continue;
        p->at++;
        if (++p->depth > MAX_DEPTH)
            return fail(p, "this is nested too deeply");
        struct node *value = parse_unary(p);
        p->depth--;
        struct node *made = value ? node(p, operators[k].kind, value, NULL) : NULL;
        if (made) {
            made->op = operators[k].op;
            made->column = at;
        }
        return made;
    }
    return parse_cast_or_postfix(p);
}

/* By precedence, the weakest first. */
static const struct infix {
    const char *token;
    enum node_op op;
    int level;
} binary[] = {
    {"||", OP_OR, 0},
    {"&&", OP_AND, 1},
    {"|", OP_BITOR, 2},
    {"^", OP_XOR, 3},
    {"&", OP_BITAND, 4},
    {"==", OP_EQUAL, 5},
    {"!=", OP_UNEQUAL, 5},
    {"<<", OP_LEFT, 7},
    {">>", OP_RIGHT, 7},
    {"<=", OP_LESS_EQUAL, 6},
    {">=", OP_GREATER_EQUAL, 6},
    {"<", OP_LESS, 6},
    {">", OP_GREATER, 6},
    {"+", OP_ADD, 8},
    {"-", OP_SUBTRACT, 8},
    {"*", OP_MULTIPLY, 9},
    {"/", OP_DIVIDE, 9},
    {"%", OP_REMAINDER, 9},
};
enum { LEVELS = 10 };

/* Returns the longest operator that stands here. */
static const struct infix *next_operator(struct parser *p)
{
    const struct infix *found = NULL;
    skip(p);
    for (size_t k = 0; k < sizeof binary / sizeof *binary; k++)
        if (!strncmp(p->at, binary[k].token, strlen(binary[k].token)) &&
            (!found || strlen(found->token) < strlen(binary[k].token)))
            found = &binary[k];
    return found;
}

static struct node *parse_binary(struct parser *p, int level)
{
    struct node *value = level == LEVELS ? parse_unary(p) : parse_binary(p, level + 1);
    const struct infix *o;
    while (level < LEVELS && value && (o = next_operator(p)) && o->level == level) {
        uint32_t at = column(p);
        p->at += strlen(o->token);
        struct node *right = parse_binary(p, level + 1);
        value = right ? node(p, NODE_BINARY, value, right) : NULL;
        if (value) {
            value->op = o->op;
            value->column = at;
        }
    }
    return value;
}

static struct node *parse_or(struct parser *p)
{
    if (++p->depth > MAX_DEPTH)
        return fail(p, "this is nested too deeply");
    struct node *value = parse_binary(p, 0);
    p->depth--;
    return value;
}

/* ---- the whole ------------------------------------------------------------------- */

static void parse_whole(struct parser *p)
{
    p->query->root = parse_or(p);
    skip(p);
    if (p->query->root && *p->at == '=')
        fail(p, "nothing can be assigned here; == compares");
    else if (p->query->root && *p->at)
        fail(p, "expected an operator before %c", *p->at);
}

struct query *query_parse(const char *text, char **error)
{
    return query_parse_part(text, 0, error);
}

struct query *query_parse_part(const char *text, size_t before, char **error)
{
    struct query *query = check_zeros(1, sizeof *query);
    query->text = check_strdup(text);
    query->before = (ptrdiff_t)before;
    struct parser p = {.query = query, .at = query->text};
    parse_whole(&p);
    *error = p.error;
    if (!p.error)
        return query;
    query_free(query);
    return NULL;
}

void query_free(struct query *query)
{
    if (!query)
        return;
    for (size_t k = 0; k < query->n; k++) {
        free(query->nodes[k]->text);
        free(query->nodes[k]->made);
        free((void *)query->nodes[k]->variables);
        free(query->nodes[k]);
    }
    free(query->nodes);
    free(query->text);
    free(query);
}

const char *query_text(const struct query *query)
{
    return query->text;
}
