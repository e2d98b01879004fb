/* formula.c - parses formulas, by recursive descent; see formula.h.
 *
 * What stands between temporal operators, `!`, `&&`, `||`, `->` and `<->` is a query of its
 * own: an atom.  It ends where one of these stands outside parentheses. */
#include "formula.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/memory.h"
#include "checker/query/tree.h"

/* What is read, before negations are moved to the atoms. */
enum kind { TRUTH, ATOM, NOT, AND, OR, IMPLIES, EQUALS, UNTIL, RELEASE, WEAK, STRONG };

struct part {
    enum kind kind;
    const struct part *a, *b;
    unsigned atom;
    bool value; /* of TRUTH */
};

enum { MOST_PARTS = 1000, MOST_DEPTH = 100 };

struct parser {
    struct formula *formula;
    const char *at;
    char *error;
    unsigned depth, n;
    struct part parts[MOST_PARTS];
};

static const struct part always = {.kind = TRUTH, .value = true}, never = {.kind = TRUTH};

/* Returns NULL.  The first error counts; *text: what it is. */
static const struct part *fail(struct parser *p, const char *text)
{
    if (!p->error)
        p->error = check_format("column %zu: %s", (size_t)(p->at - p->formula->text) + 1, text);
    return NULL;
}

static const struct part *make(struct parser *p, enum kind kind, const struct part *a,
                               const struct part *b)
{
    if (p->n == MOST_PARTS)
        return fail(p, "this formula is too long");
    p->parts[p->n] = (struct part){.kind = kind, .a = a, .b = b};
    return &p->parts[p->n++];
}

/* ---- tokens ---------------------------------------------------------------------- */

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || c == '_' || c == '$';
}

static void skip(struct parser *p)
{
    p->at += strspn(p->at, " \t\n");
}

/* Is it one of these letters, and a word? */
static bool is_letter(const char *at, const char *letters)
{
    return *at && strchr(letters, *at) && !is_of_name(at[1]);
}

/* Does an operand come next?  `F - 1` is about a variable. */
static bool is_before_operand(const char *at)
{
    at += strspn(at, " \t\n");
    bool other = *at == '!' ? at[1] != '=' : *at == '[' ? at[1] == ']' : !strncmp(at, "<>", 2);
    return other || *at == '(' || is_of_name(*at);
}

/* Returns the length of "G", "F", "X", "[]" or "<>" before an operand, and which letter it
 * stands for; 0: none. */
static size_t prefix_at(const char *at, char *letter)
{
    size_t n = is_letter(at, "GFX")                             ? 1
               : !strncmp(at, "[]", 2) || !strncmp(at, "<>", 2) ? 2
                                                                : 0;
    *letter = n == 1 ? *at : *at == '[' ? 'G' : 'F';
    return n && is_before_operand(at + n) ? n : 0;
}

/* Is it `a -> b`, which implies?  `a->b` is a member. */
static bool is_arrow(const char *text, const char *at)
{
    if (strncmp(at, "->", 2))
        return false;
    return at == text || isspace((unsigned char)at[-1]) || at[2] == '\0' ||
           isspace((unsigned char)at[2]) || !(is_of_name(at[2]) || at[2] == '~');
}

static const struct infix {
    const char *token;
    enum kind kind;
    int level;
} infixes[] = {
    {"<->", EQUALS, 0}, {"->", IMPLIES, 1}, {"=>", IMPLIES, 1},
    {"||", OR, 2},      {"&&", AND, 3},     {"U", UNTIL, 4},
    {"R", RELEASE, 4},  {"W", WEAK, 4},     {"M", STRONG, 4},
};
enum { LEVELS = 5 };

static const struct infix *infix_at(const char *text, const char *at)
{
    for (size_t i = 0; i < sizeof infixes / sizeof *infixes; i++) {
        const char *token = infixes[i].token;
        bool there = isalpha((unsigned char)*token) ? is_letter(at, token)
                     : *token == '-'                ? is_arrow(text, at)
                                                    : !strncmp(at, token, strlen(token));
        if (there)
            return &infixes[i];
    }
    return NULL;
}

/* Returns what is behind a group in parentheses; NULL: it does not end. */
static const char *behind_group(const char *at)
{
    int open = 0;
    for (; *at; at++) {
        open += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (*at == '\'' && at[1])
            at += at[1] == '\\' && at[2] && at[3] ? 3 : at[2] ? 2 : 0;
        if (!open)
            return at + 1;
    }
    return NULL;
}

/* Does what has been read of an atom end with an operand?  Then a letter is an operator. */
static bool ends_operand(const char *first, const char *at)
{
    while (at > first && isspace((unsigned char)at[-1]))
        at--;
    return at > first && (is_of_name(at[-1]) || strchr(")]'", at[-1]));
}

/* Returns the end of the atom that begins here. */
static const char *atom_end(const struct parser *p, const char *first)
{
    const char *at = first;
    while (*at && *at != ')') {
        const struct infix *infix = infix_at(p->formula->text, at);
        bool word = at > first && is_of_name(at[-1]);
        if (infix && (infix->level < 4 || (!word && ends_operand(first, at))))
            return at;
        const char *behind = *at == '(' || *at == '[' ? behind_group(at) : at + 1;
        if (!behind)
            return at + strlen(at);
        if (*at == '\'' && at[1])
            behind = at[1] == '\\' && at[2] && at[3] ? at + 4 : at[2] ? at + 3 : at + 1;
        at = behind;
    }
    return at;
}

/* Does `(` begin a formula of its own, and not an atom that goes on behind it? */
static bool is_group(const struct parser *p)
{
    const char *behind = *p->at == '(' ? behind_group(p->at) : NULL;
    if (!behind)
        return *p->at == '(';
    behind += strspn(behind, " \t\n");
    return !*behind || *behind == ')' || infix_at(p->formula->text, behind);
}

/* ---- parsing --------------------------------------------------------------------- */

static const struct part *parse(struct parser *p, int level);

static const struct part *parse_group(struct parser *p)
{
    p->at++;
    const struct part *part = parse(p, 0);
    skip(p);
    if (part && *p->at != ')')
        return fail(p, *p->at ? "expected ) here" : "expected ) at the end");
    p->at += part != NULL;
    return part;
}

static bool is_same(const struct query *query, const char *text, size_t n)
{
    return strlen(query_text(query)) == n && !strncmp(query_text(query), text, n);
}

static const struct part *take_atom(struct parser *p, size_t n)
{
    struct formula *formula = p->formula;
    unsigned k = 0;
    while (k < formula->natoms && !is_same(formula->atoms[k], p->at, n))
        k++;
    if (k == FORMULA_ATOMS)
        return fail(p, "there are too many different expressions");
    if (k == formula->natoms) {
        char *text = check_strndup(p->at, n), *why;
        struct query *query = query_parse_part(text, (size_t)(p->at - formula->text), &why);
        free(text);
        if (!query) {
            if (p->error)
                free(why);
            else
                p->error = why;
            return NULL;
        }
        formula->atoms[formula->natoms++] = query;
    }
    p->at += n;
    struct part *part = (struct part *)make(p, ATOM, NULL, NULL);
    if (part)
        part->atom = k;
    return part;
}

static size_t atom_length(const struct parser *p)
{
    const char *end = atom_end(p, p->at);
    while (end > p->at && isspace((unsigned char)end[-1]))
        end--;
    return (size_t)(end - p->at);
}

/* Is it a negation, as `!a` and `!(a == b)` are?  `!a == b` is C's. */
static bool is_negation(const struct parser *p)
{
    struct parser behind = {.formula = p->formula, .at = p->at + 1};
    char letter;
    skip(&behind);
    if (*behind.at == '!')
        return is_negation(&behind);
    if (is_group(&behind) || prefix_at(behind.at, &letter))
        return true;
    size_t n = atom_length(p);
    char *text = check_strndup(p->at, n), *why;
    struct query *query = query_parse(text, &why);
    bool negates = !query || (query->root->kind == NODE_UNARY && query->root->op == OP_NOT);
    query_free(query);
    free(why);
    free(text);
    return negates;
}

static const struct part *parse_unary(struct parser *p);

static const struct part *parse_prefix(struct parser *p, char letter, size_t n)
{
    if (letter == 'X')
        return fail(p, "there is no next state: how many there are depends on what divm takes "
                       "for one step (X is not available)");
    p->at += n;
    const struct part *a = parse_unary(p);
    if (!a)
        return NULL;
    return letter == 'F' ? make(p, UNTIL, &always, a) : make(p, RELEASE, &never, a);
}

static const struct part *parse_unary_within(struct parser *p)
{
    char letter;
    skip(p);
    size_t n = prefix_at(p->at, &letter);
    if (n)
        return parse_prefix(p, letter, n);
    if (*p->at == '!' && is_negation(p)) {
        p->at++;
        const struct part *a = parse_unary(p);
        return a ? make(p, NOT, a, NULL) : NULL;
    }
    if (is_group(p))
        return parse_group(p);
    n = atom_length(p);
    if (!n)
        return fail(p, *p->at ? "expected a formula here" : "expected a formula at the end");
    return take_atom(p, n);
}

static const struct part *parse_unary(struct parser *p)
{
    if (++p->depth > MOST_DEPTH)
        return fail(p, "this is nested too deeply");
    const struct part *part = parse_unary_within(p);
    p->depth--;
    return part;
}

/* Parses from a level on.  `->` and operators with a letter group from the right. */
static const struct part *parse(struct parser *p, int level)
{
    const struct part *part = level == LEVELS ? parse_unary(p) : parse(p, level + 1);
    while (part && level < LEVELS) {
        skip(p);
        const struct infix *infix = infix_at(p->formula->text, p->at);
        if (!infix || infix->level != level)
            break;
        p->at += strlen(infix->token);
        bool right = infix->kind == IMPLIES || level == 4;
        const struct part *b = parse(p, right ? level : level + 1);
        part = b ? make(p, infix->kind, part, b) : NULL;
    }
    return part;
}

/* ---- negation normal form -------------------------------------------------------- */

/* Returns the number of a node; FORMULA_NODES: there are too many. */
static unsigned node_of(struct formula_form *form, enum formula_op op, unsigned a, unsigned b)
{
    bool atom = op == FORMULA_ATOM || op == FORMULA_NOT_ATOM;
    struct formula_node made = {.op = op, .a = atom ? 0 : a, .b = b, .atom = atom ? a : 0};
    if (!atom && (a == FORMULA_NODES || b == FORMULA_NODES))
        return FORMULA_NODES;
    for (unsigned k = 0; k < form->n; k++) {
        const struct formula_node *node = &form->nodes[k];
        if (node->op == op && node->a == made.a && node->b == b && node->atom == made.atom)
            return k;
    }
    if (form->n == FORMULA_NODES)
        return FORMULA_NODES;
    form->nodes[form->n] = made;
    return form->n++;
}

static unsigned normal(struct formula_form *form, const struct part *part, bool negated);

static unsigned two(struct formula_form *form, enum formula_op op, enum formula_op dual,
                    const struct part *part, bool negated)
{
    unsigned a = normal(form, part->a, negated), b = normal(form, part->b, negated);
    return node_of(form, negated ? dual : op, a, b);
}

/* Makes a node for equal operands: (a && b) || (!a && !b). */
static unsigned equal(struct formula_form *form, const struct part *part, bool negated)
{
    unsigned a = normal(form, part->a, false), b = normal(form, part->b, negated);
    unsigned both = node_of(form, FORMULA_AND, a, b);
    a = normal(form, part->a, true), b = normal(form, part->b, !negated);
    return node_of(form, FORMULA_OR, both, node_of(form, FORMULA_AND, a, b));
}

/* Makes a node for a W b: b R (a || b), or a M b: b U (a && b). */
static unsigned weak(struct formula_form *form, const struct part *part, bool negated)
{
    bool is_weak = part->kind == WEAK;
    unsigned a = normal(form, part->a, negated), b = normal(form, part->b, negated);
    unsigned both = node_of(form, is_weak != negated ? FORMULA_OR : FORMULA_AND, a, b);
    return node_of(form, is_weak != negated ? FORMULA_RELEASE : FORMULA_UNTIL, b, both);
}

static unsigned normal(struct formula_form *form, const struct part *part, bool negated)
{
    switch (part->kind) {
    case TRUTH:
        return node_of(form, part->value != negated ? FORMULA_TRUE : FORMULA_FALSE, 0, 0);
    case ATOM: return node_of(form, negated ? FORMULA_NOT_ATOM : FORMULA_ATOM, part->atom, 0);
    case NOT: return normal(form, part->a, !negated);
    case AND: return two(form, FORMULA_AND, FORMULA_OR, part, negated);
    case OR: return two(form, FORMULA_OR, FORMULA_AND, part, negated);
    case IMPLIES: {
        unsigned a = normal(form, part->a, !negated), b = normal(form, part->b, negated);
        return node_of(form, negated ? FORMULA_AND : FORMULA_OR, a, b);
    }
    case EQUALS: return equal(form, part, negated);
    case UNTIL: return two(form, FORMULA_UNTIL, FORMULA_RELEASE, part, negated);
    case RELEASE: return two(form, FORMULA_RELEASE, FORMULA_UNTIL, part, negated);
    case WEAK:
    case STRONG: return weak(form, part, negated);
    }
    return FORMULA_NODES;
}

/* ---- the whole ------------------------------------------------------------------- */

static bool is_about_error(const struct query *query)
{
    for (size_t k = 0; k < query->n; k++)
        if (query->nodes[k]->kind == NODE_RACE || query->nodes[k]->kind == NODE_DEADLOCK)
            return true;
    return false;
}

static void finish(struct parser *p, const struct part *part)
{
    struct formula *formula = p->formula;
    skip(p);
    if (part && *p->at)
        fail(p, "expected an operator here");
    for (unsigned k = 0; part && k < formula->natoms && !p->error; k++)
        if (is_about_error(formula->atoms[k]))
            p->error = check_format(
                "%s: race and deadlock end a run, so they are no part of a formula",
                query_text(formula->atoms[k]));
    if (!part || p->error)
        return;
    formula->holds.root = normal(&formula->holds, part, false);
    formula->fails.root = normal(&formula->fails, part, true);
    if (formula->holds.root == FORMULA_NODES || formula->fails.root == FORMULA_NODES)
        p->error = check_strdup("this formula has too many parts");
}

static struct formula *whole(const char *text, bool infinitely_often, char **error)
{
    struct parser *p = check_zeros(1, sizeof *p);
    struct formula *formula = check_zeros(1, sizeof *formula);
    formula->text = check_strdup(text);
    p->formula = formula;
    p->at = formula->text;
    const struct part *part;
    if (infinitely_often) {
        skip(p);
        part = take_atom(p, strlen(p->at));
        part = part ? make(p, UNTIL, &always, part) : NULL;
        part = part ? make(p, RELEASE, &never, part) : NULL;
    } else {
        part = parse(p, 0);
    }
    finish(p, part);
    *error = p->error;
    free(p);
    if (!*error)
        return formula;
    formula_free(formula);
    return NULL;
}

struct formula *formula_parse(const char *text, char **error)
{
    return whole(text, false, error);
}

struct formula *formula_always_eventually(const char *text, char **error)
{
    return whole(text, true, error);
}

void formula_free(struct formula *formula)
{
    if (!formula)
        return;
    for (unsigned k = 0; k < formula->natoms; k++)
        query_free(formula->atoms[k]);
    free(formula->text);
    free(formula);
}
