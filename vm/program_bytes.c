/* program_bytes.c - a loaded program as bytes, to be kept in a file, and back.
 *
 * The bytes are an image of the program's tables as they are in memory, with pointers as places
 * in the image; a list of where the pointers are; and the objects that globals and constants
 * begin as.  The same divm has written them, on such a machine: they have its layout of
 * structs, and are trusted.  How the program starts is no part of them (vm_set_start). */
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "vm/heap/memory.h"

/* These sizes change with the structs: a pointer that is added must be written and read
 * below. */
_Static_assert(sizeof(struct vm_program) == 336 && sizeof(struct vm_weak) == 24,
               "see put_program");
_Static_assert(sizeof(struct vm_function) == 80, "see put_functions");
_Static_assert(sizeof(struct vm_signature) == 48, "see put_signatures");
_Static_assert(sizeof(struct vm_global) == 32, "see put_globals");
_Static_assert(sizeof(struct vm_type) == 40 && sizeof(struct vm_type_member) == 40 &&
                   sizeof(struct vm_variable) == 16,
               "see put_type");
_Static_assert(sizeof(struct vm_loc) == 32 && sizeof(struct vm_site) == 24, "see put_program");

enum { ALIGNMENT = 16 };

/* ---- writing --------------------------------------------------------------------- */

struct seen { /* a block that is in the image already */
    const void *at;
    uint64_t place;
};

struct image {
    struct vm_bytes bytes;
    uint64_t *pointers; /* places of pointers that are not NULL */
    size_t npointers, max;
    struct seen *seen; /* by address; a power of 2, at most half full */
    size_t nseen, size;
};

static void put(struct vm_bytes *out, const void *bytes, size_t n)
{
    if (out->n + n > out->max) {
        out->max = 2 * (out->n + n);
        out->at = vm_resize(out->at, out->max);
    }
    if (n)
        memcpy(out->at + out->n, bytes, n);
    out->n += n;
}

static struct seen *slot_of(const struct image *image, const void *at)
{
    size_t i = (uintptr_t)at * 0x9e3779b97f4a7c15 >> 20;
    while (image->seen[i & (image->size - 1)].at && image->seen[i & (image->size - 1)].at != at)
        i++;
    return &image->seen[i & (image->size - 1)];
}

static void note_seen(struct image *image, const void *at, uint64_t place)
{
    if (2 * (image->nseen + 1) > image->size) {
        struct image old = *image;
        image->size = old.size ? 2 * old.size : 4096;
        image->seen = vm_zeros(image->size, sizeof *image->seen);
        for (size_t k = 0; k < old.size; k++)
            if (old.seen[k].at)
                *slot_of(image, old.seen[k].at) = old.seen[k];
        free(old.seen);
    }
    *slot_of(image, at) = (struct seen){at, place};
    image->nseen++;
}

/* Adds the block that the pointer at a place leads to, unless it is in the image.  Returns the
 * block's place if it was added, else 0. */
static uint64_t put_block(struct image *image, uint64_t pointer, const void *data, size_t size)
{
    static const char zeros[ALIGNMENT];
    const struct seen *known = data && image->size ? slot_of(image, data) : NULL;
    uint64_t place = known && known->at ? known->place : 0;
    bool is_new = data && !place;
    if (is_new) {
        put(&image->bytes, zeros, -image->bytes.n % ALIGNMENT);
        place = image->bytes.n;
        put(&image->bytes, data, size);
        note_seen(image, data, place);
    }
    memcpy(image->bytes.at + pointer, &place, sizeof place);
    if (place) {
        if (image->npointers == image->max) {
            image->max = image->max ? 2 * image->max : 1024;
            image->pointers = vm_resize(image->pointers, image->max * sizeof *image->pointers);
        }
        image->pointers[image->npointers++] = pointer;
    }
    return is_new ? place : 0;
}

static void put_string(struct image *image, uint64_t pointer, const char *text)
{
    put_block(image, pointer, text, text ? strlen(text) + 1 : 0);
}

static void put_function(struct image *image, uint64_t at, const struct vm_function *f)
{
    uint32_t sets = 0;
    for (uint32_t k = 0; f->live_at && k < f->ncode; k++)
        sets = f->live_at[k] > sets ? f->live_at[k] : sets;
    put_string(image, at + offsetof(struct vm_function, name), f->name);
    put_block(image, at + offsetof(struct vm_function, code), f->code,
              f->ncode * sizeof *f->code);
    put_block(image, at + offsetof(struct vm_function, locs), f->locs,
              f->ncode * sizeof *f->locs);
    put_block(image, at + offsetof(struct vm_function, live), f->live,
              (size_t)sets * ((f->nregs + 63) / 64) * sizeof *f->live);
    put_block(image, at + offsetof(struct vm_function, live_at), f->live_at,
              f->ncode * sizeof *f->live_at);
    put_block(image, at + offsetof(struct vm_function, may_write), f->may_write,
              f->ncode * sizeof *f->may_write);
}

static void put_functions(struct image *image, const struct vm_program *p)
{
    uint64_t at = put_block(image, offsetof(struct vm_program, functions), p->functions,
                            p->nfunctions * sizeof *p->functions);
    for (uint32_t k = 0; k < p->nfunctions; k++)
        put_function(image, at + k * sizeof *p->functions, &p->functions[k]);
}

/* LLVM's types are kept as the numbers that their addresses are: equal types have equal
 * numbers. */
static void put_signatures(struct image *image, const struct vm_program *p)
{
    uint64_t at = put_block(image, offsetof(struct vm_program, signatures), p->signatures,
                            p->nsignatures * sizeof *p->signatures);
    for (uint32_t k = 0; k < p->nsignatures; k++) {
        const struct vm_signature *s = &p->signatures[k];
        uint64_t place = at + k * sizeof *s;
        put_string(image, place + offsetof(struct vm_signature, text), s->text);
        put_block(image, place + offsetof(struct vm_signature, params), s->params,
                  s->nparams * sizeof *s->params);
    }
}

static void put_type(struct image *image, uint64_t pointer, const struct vm_type *t)
{
    uint64_t at = put_block(image, pointer, t, sizeof *t);
    if (!at)
        return;
    put_string(image, at + offsetof(struct vm_type, name), t->name);
    put_type(image, at + offsetof(struct vm_type, element), t->element);
    uint64_t members = put_block(image, at + offsetof(struct vm_type, member), t->member,
                                 t->member ? t->n * sizeof *t->member : 0);
    for (uint32_t k = 0; members && k < t->n; k++) {
        uint64_t place = members + k * sizeof *t->member;
        put_string(image, place + offsetof(struct vm_type_member, name), t->member[k].name);
        put_type(image, place + offsetof(struct vm_type_member, type), t->member[k].type);
        put_type(image, place + offsetof(struct vm_type_member, field), t->member[k].field);
    }
}

static void put_variables(struct image *image, uint64_t pointer,
                          const struct vm_variable *variables, uint32_t n)
{
    uint64_t at = put_block(image, pointer, variables, n * sizeof *variables);
    for (uint32_t k = 0; k < n; k++) {
        uint64_t place = at + k * sizeof *variables;
        put_string(image, place + offsetof(struct vm_variable, name), variables[k].name);
        put_type(image, place + offsetof(struct vm_variable, type), variables[k].type);
    }
}

static void put_globals(struct image *image, uint64_t pointer, const struct vm_global *globals,
                        uint32_t n)
{
    uint64_t at = put_block(image, pointer, globals, n * sizeof *globals), none = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint64_t place = at + k * sizeof *globals;
        put_string(image, place + offsetof(struct vm_global, name), globals[k].name);
        put_type(image, place + offsetof(struct vm_global, type), globals[k].type);
        memcpy(image->bytes.at + place + offsetof(struct vm_global, init), &none, sizeof none);
    }
}

static void put_places(struct image *image, const struct vm_program *p)
{
    uint64_t at = put_block(image, offsetof(struct vm_program, locs), p->locs,
                            p->nlocs * sizeof *p->locs);
    for (uint32_t k = 0; k < p->nlocs; k++) {
        uint64_t place = at + k * sizeof *p->locs;
        put_string(image, place + offsetof(struct vm_loc, function), p->locs[k].function);
        put_string(image, place + offsetof(struct vm_loc, file), p->locs[k].file);
    }
    at = put_block(image, offsetof(struct vm_program, sites), p->sites,
                   p->nsites * sizeof *p->sites);
    for (size_t k = 0; k < p->nsites; k++) {
        uint64_t place = at + k * sizeof *p->sites;
        put_string(image, place + offsetof(struct vm_site, name), p->sites[k].name);
        put_string(image, place + offsetof(struct vm_site, function), p->sites[k].function);
    }
}

static void put_program(struct image *image, const struct vm_program *p)
{
    struct vm_program head = *p;
    head.const_objs = NULL;
    head.arena = NULL;
    head.narena = 0;
    put(&image->bytes, &head, sizeof head);
    put_functions(image, p);
    put_signatures(image, p);
    put_globals(image, offsetof(struct vm_program, globals), p->globals, p->nglobals);
    put_globals(image, offsetof(struct vm_program, consts), p->consts, p->nconsts);
    put_places(image, p);
    put_block(image, offsetof(struct vm_program, values), p->values,
              p->nvalues * sizeof *p->values);
    put_block(image, offsetof(struct vm_program, args), p->args, p->nargs * sizeof *p->args);
    put_block(image, offsetof(struct vm_program, calls), p->calls,
              p->ncalls * sizeof *p->calls);
    put_block(image, offsetof(struct vm_program, cases), p->cases,
              p->ncases * sizeof *p->cases);
    put_block(image, offsetof(struct vm_program, paddings), p->paddings,
              p->npaddings * sizeof *p->paddings);
    put_block(image, offsetof(struct vm_program, tracked), p->tracked, p->nglobals);
    put_string(image, offsetof(struct vm_program, weak.where), p->weak.where);
    put_string(image, offsetof(struct vm_program, weak.order), p->weak.order);
    put_string(image, offsetof(struct vm_program, unprototyped), p->unprototyped);
    uint64_t texts = put_block(image, offsetof(struct vm_program, texts), p->texts,
                               p->ntexts * sizeof *p->texts);
    for (uint32_t k = 0; k < p->ntexts; k++)
        put_string(image, texts + k * sizeof *p->texts, p->texts[k]);
    put_variables(image, offsetof(struct vm_program, variables), p->variables, p->nvariables);
    put_variables(image, offsetof(struct vm_program, made), p->made, p->nmade);
}

/* The part of an object beside its data and masks. */
struct head {
    uint32_t size;
    uint8_t kind, flags, has_bits;
    uint32_t link;
    uint64_t site;
};

static void put_object(struct vm_bytes *out, const struct vm_obj *o)
{
    struct head head = {0};
    head.size = o->size;
    head.kind = o->kind;
    head.flags = o->flags & (uint8_t)~VM_HASHED;
    head.has_bits = o->bits != NULL;
    head.link = o->link;
    head.site = o->site;
    put(out, &head, sizeof head);
    put(out, o->data, vm_obj_tail(o->size, o->kind));
    if (o->bits)
        put(out, o->bits, (size_t)o->size + 8);
}

void vm_program_write(const struct vm_program *p, struct vm_bytes *out)
{
    struct image image = {0};
    put_program(&image, p);
    uint64_t sizes[] = {image.bytes.n, image.npointers};
    put(out, sizes, sizeof sizes);
    put(out, image.bytes.at, image.bytes.n);
    put(out, image.pointers, image.npointers * sizeof *image.pointers);
    for (uint32_t k = 0; k < p->nglobals; k++)
        put_object(out, p->globals[k].init);
    for (uint32_t k = 0; k < p->nconsts; k++)
        put_object(out, p->consts[k].init);
    free(image.bytes.at);
    free(image.pointers);
    free(image.seen);
}

/* ---- reading --------------------------------------------------------------------- */

static void get(const unsigned char **from, void *to, size_t n)
{
    if (n)
        memcpy(to, *from, n);
    *from += n;
}

static struct vm_obj *get_object(const unsigned char **from)
{
    struct head head;
    get(from, &head, sizeof head);
    struct vm_obj *o = vm_obj_new(head.size, head.kind);
    o->flags = head.flags;
    o->link = head.link;
    o->site = head.site;
    get(from, o->data, vm_obj_tail(head.size, head.kind));
    if (head.has_bits) {
        o->bits = vm_alloc((size_t)head.size + 8);
        get(from, o->bits, (size_t)head.size + 8);
    }
    return o;
}

/* Copies a table of the image into memory where it can grow, with its objects. */
static struct vm_global *get_globals(const struct vm_global *of, uint32_t n,
                                     const unsigned char **from)
{
    struct vm_global *globals = vm_alloc(n * sizeof *globals);
    for (uint32_t k = 0; k < n; k++) {
        globals[k] = of[k];
        globals[k].init = get_object(from);
    }
    return globals;
}

struct vm_program *vm_program_read(const unsigned char *bytes)
{
    uint64_t sizes[2];
    get(&bytes, sizes, sizeof sizes);
    unsigned char *image = vm_alloc(sizes[0]);
    get(&bytes, image, sizes[0]);
    for (uint64_t k = 0; k < sizes[1]; k++) {
        uint64_t at, place;
        get(&bytes, &at, sizeof at);
        memcpy(&place, image + at, sizeof place);
        memcpy(image + at, &(unsigned char *){image + place}, sizeof place);
    }
    struct vm_program *p = vm_alloc(sizeof *p);
    memcpy(p, image, sizeof *p);
    p->image = image;
    p->globals = get_globals(p->globals, p->nglobals, &bytes);
    p->consts = get_globals(p->consts, p->nconsts, &bytes);
    return p;
}
