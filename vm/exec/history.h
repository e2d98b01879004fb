/* history.h - the record of a run while somebody listens: where heap objects were made and
 * freed, and what threads did to shared ones.  listen.c fills it; typed.c and describe.c find
 * out what the objects are. */
#ifndef VM_HISTORY_H
#define VM_HISTORY_H

#include "vm/machine.h"

enum { VM_CALLERS = 15 };

/* The place of a thread at some moment: its number, the user's instruction, its stack, and how
 * many events had been told. */
struct vm_where {
    uint64_t tid, site, pc, order;
    size_t callers; /* place in vm_history.callers */
};

/* How the name of an object is continued. */
enum vm_way {
    VM_WAY_ONE,   /* name.member */
    VM_WAY_ARROW, /* name->member */
    VM_WAY_INDEX, /* name[2] */
};

/* The identity of a heap object, as far as it is known. */
struct vm_identity {
    const struct vm_type *type; /* NULL: unknown */
    const char *name;           /* of it, or of its type; the history's or the program's */
    uint32_t at;                /* where the type begins in it */
    uint32_t number;            /* among those of this name, from 1; 0: not mentioned yet */
    enum vm_way way;
    bool is_path; /* the name is that of a variable that leads to it */
    bool inside;  /* which is an object of a library's class, and that is of several parts */
    bool
        several; /* there may be others of the name, so that the first has its number as well */
    bool sure;   /* where it was allocated says so */
    uint8_t tries;
};

struct vm_history {
    struct vm_past {
        struct vm_where made, freed;
        uint32_t size;
        uint8_t kind;
        struct vm_identity known;
    } *past; /* by index */
    uint32_t n;
    struct vm_done {
        struct vm_range range;
        uint64_t owner; /* the thread's record */
        struct vm_where where;
    } *access; /* plain accesses to shared objects, in order */
    size_t naccess, access_capacity;
    struct callers {
        uint64_t pc[VM_CALLERS]; /* innermost first, 0 behind the last */
    } *callers;
    size_t ncallers, callers_capacity;
    struct vm_read {
        uint64_t frame, place;
        uint32_t insn;
    } read[256]; /* the last loads of undefined bytes */
    size_t nread;
    uint64_t order;     /* how many events were told */
    uint64_t described; /* the last address that a message is about */
    struct vm_count {
        const char *name;
        uint32_t n;
    } *counts; /* how many objects of a name were mentioned */
    size_t ncounts, counts_capacity;
    struct vm_register {
        uint64_t frame;
        uint32_t variable;    /* in vm_notes.variables */
        bool known;           /* or its value cannot be told */
        struct vm_obj *value; /* of the variable's size */
    } *registers;             /* values that NOTEs told, frame by frame as these began */
    size_t nregisters, registers_capacity;
    char **texts; /* names that were made */
    size_t ntexts, texts_capacity;
};

/* Returns the record of the heap object at p; NULL if nobody listens, or nothing is known. */
struct vm_past *vm_past_of(const struct vm *vm, uint64_t p, bool grow);

/* typed.c: returns what is known of the heap object at p, or NULL. */
const struct vm_identity *vm_identity(const struct vm *vm, uint64_t p);
/* Returns the variable that a stack object is, or NULL. */
const struct vm_variable *vm_variable_of(const struct vm *vm, uint64_t site);

#endif
