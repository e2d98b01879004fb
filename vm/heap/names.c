/* names.c - see names.h. */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "vm/program.h"

enum { FIRST_NAMES = 256, FIRST_INDEXES = 64 };

struct name {
    uint64_t thread;
    uint32_t number, name; /* 0: the place is free */
};

struct vm_names {
    struct name *at; /* a hash table */
    size_t n, max;   /* a power of two */
};

struct vm_names *vm_names_open(void)
{
    struct vm_names *names = vm_alloc(sizeof *names);
    *names =
        (struct vm_names){.at = vm_zeros(FIRST_NAMES, sizeof *names->at), .max = FIRST_NAMES};
    return names;
}

void vm_names_close(struct vm_names *names)
{
    if (!names)
        return;
    free(names->at);
    free(names);
}

static struct name *place_of(const struct vm_names *names, uint64_t thread, uint32_t number)
{
    uint64_t hash = ((uint64_t)vm_ptr_id(thread) ^ (uint64_t)number << 32) * 0x9e3779b97f4a7c15;
    for (size_t i = hash >> 20;; i++) {
        struct name *place = &names->at[i & (names->max - 1)];
        if (!place->name || (place->thread == thread && place->number == number))
            return place;
    }
}

static void grow(struct vm_names *names)
{
    struct name *old = names->at;
    size_t n = names->max;
    names->max = 2 * n;
    names->at = vm_zeros(names->max, sizeof *names->at);
    for (size_t i = 0; i < n; i++)
        if (old[i].name)
            *place_of(names, old[i].thread, old[i].number) = old[i];
    free(old);
}

void vm_names_write(const struct vm_names *names, struct vm_bytes *out)
{
    out->max = out->n = names->n * sizeof *names->at;
    out->at = vm_alloc(out->max + 1);
    unsigned char *at = out->at;
    for (size_t i = 0; i < names->max; i++)
        if (names->at[i].name)
            at = (unsigned char *)memcpy(at, &names->at[i], sizeof *names->at) +
                 sizeof *names->at;
}

void vm_names_read(struct vm_names *names, const unsigned char *bytes, size_t n)
{
    for (names->n = 0; names->n < n / sizeof *names->at; names->n++) {
        struct name name;
        memcpy(&name, bytes + names->n * sizeof name, sizeof name);
        if (2 * names->n >= names->max)
            grow(names);
        *place_of(names, name.thread, name.number) = name;
    }
}

static uint32_t name_of(struct vm_names *names, uint64_t thread, uint32_t number)
{
    struct name *place = place_of(names, thread, number);
    if (!place->name && 2 * names->n >= names->max) {
        grow(names);
        place = place_of(names, thread, number);
    }
    if (!place->name)
        *place = (struct name){thread, number, (uint32_t)++names->n};
    return place->name;
}

void vm_namer_fini(struct vm_namer *namer)
{
    free(namer->of);
    free(namer->makers);
    free(namer->given);
}

void vm_namer_forget(struct vm_namer *namer, uint32_t index)
{
    if (index < namer->max_of)
        namer->of[index] = 0;
}

static uint32_t maker_of(struct vm_namer *namer, uint64_t thread)
{
    for (size_t k = 0; k < namer->nmakers; k++)
        if (namer->makers[k].thread == thread)
            return (uint32_t)k;
    if (namer->nmakers == namer->max_makers) {
        namer->max_makers = namer->max_makers ? 2 * namer->max_makers : 8;
        namer->makers = vm_resize(namer->makers, namer->max_makers * sizeof *namer->makers);
    }
    namer->makers[namer->nmakers] = (struct vm_maker){thread, 0};
    return (uint32_t)namer->nmakers++;
}

static void reserve(struct vm_namer *namer, uint32_t index)
{
    uint32_t old = namer->max_of, max = old ? old : FIRST_INDEXES;
    while (max <= index)
        max *= 2;
    if (max == old)
        return;
    namer->of = vm_resize(namer->of, max * sizeof *namer->of);
    memset(namer->of + old, 0, (max - old) * sizeof *namer->of);
    namer->max_of = max;
}

void vm_namer_give(struct vm_namer *namer, uint32_t index)
{
    uint64_t thread = *namer->thread ? vm_namer_call(namer, *namer->thread) : 0;
    uint32_t maker = maker_of(namer, thread);
    reserve(namer, index);
    namer->of[index] = name_of(namer->names, thread, ++namer->makers[maker].made);
    if (namer->ngiven == namer->max_given) {
        namer->max_given = namer->max_given ? 2 * namer->max_given : 64;
        namer->given = vm_resize(namer->given, namer->max_given * sizeof *namer->given);
    }
    namer->given[namer->ngiven++] = maker;
}

void vm_namer_undo(struct vm_namer *namer, size_t n)
{
    while (namer->ngiven > n)
        namer->makers[namer->given[--namer->ngiven]].made--;
}
