/* tree.h - expressions as trees, for checker/query alone.
 *
 * A node belongs to its query.  parse.c makes it; resolve.c fills in what a name stands for and
 * the type of each value; evaluate.c reads it. */
#ifndef CHECKER_QUERY_TREE_H
#define CHECKER_QUERY_TREE_H

#include "checker/query/query.h"
#include "vm/type.h"

enum node_kind {
    NODE_NUMBER,
    NODE_NAME, /* a variable or an enumerator; text: its name */
    NODE_MEMBER,
    NODE_INDEX,
    NODE_DEREFERENCE,
    NODE_ADDRESS,
    NODE_CAST,   /* text: the type, as it is written; number: so many * behind it */
    NODE_UNARY,  /* op: - + ~ ! */
    NODE_BINARY, /* op */
    NODE_CALL,   /* call(f); text: f */
    NODE_AT,     /* at(file:line); text: "file:line" */
    NODE_ENDED,  /* ended(thread) */
    NODE_RACE,
    NODE_DEADLOCK,
};

enum node_op {
    OP_NONE,
    OP_OR,
    OP_AND,
    OP_BITOR,
    OP_XOR,
    OP_BITAND,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_LEFT,
    OP_RIGHT,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REMAINDER,
    OP_NOT,
    OP_COMPLEMENT,
};

enum value_kind { VALUE_INTEGER, VALUE_FLOAT, VALUE_POINTER, VALUE_OBJECT };

/* The type of a value.  of: as debug information has it; of a pointer, what it points to; NULL:
 * not known. */
struct value_type {
    enum value_kind kind;
    uint8_t size; /* of an integer or a float */
    bool is_signed;
    const struct vm_type *of;
};

struct node {
    enum node_kind kind;
    enum node_op op;
    uint32_t column; /* in the text, from 1 on */
    struct node *a, *b;
    char *text;      /* a name, or NULL */
    uint64_t thread; /* NAME@thread, 0: any */
    bool is_arrow;   /* MEMBER: of what a pointer points to */
    bool is_null;    /* NUMBER: it may be compared with pointers */
    uint64_t number; /* NUMBER; NAME: of an enumerator; MEMBER: offset */
    double real;
    /* The fields of a node that is a place in memory: */
    bool is_place;
    uint64_t addr;                        /* NAME: of a global variable */
    const struct vm_variable **variables; /* NAME: local ones, of the same name; the node's */
    size_t nvariables;                    /* 0: it is none; else of this function: */
    uint32_t function;
    const char *function_name;
    bool is_thread_local; /* NAME: of each thread; number: which one it is */
    struct value_type type;
    uint8_t first, bits;  /* MEMBER: a bit-field, from this bit of the first byte on */
    struct vm_type *made; /* ADDRESS: its type; CAST: types that it takes; the node's */
};

struct query {
    char *text;
    ptrdiff_t before; /* so many columns stand before it */
    struct node **nodes;
    size_t n, max;
    struct node *root;
    const struct vm_program *program;
};

/* parse.c */
struct node *query_node(struct query *query, enum node_kind kind, uint32_t column);

/* types.c: returns the type of a value whose type debug information tells; finds one of C's
 * own, "unsigned long" or "uint8_t": false if it is none. */
struct value_type query_type_of(const struct vm_type *t);
bool query_base_type(const char *text, struct vm_type *t);

/* Does a name in a query mean this function?  "push" is Queue::push. */
bool query_is_name(const char *full, const char *name);

#endif
