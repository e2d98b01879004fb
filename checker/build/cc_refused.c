/* cc_refused.c - refused functions (vm/refused.def), as the linker of `divm cc` sees them.  A
 * program may have code that calls one and that no test reaches: then linking goes well.  But
 * what main itself names stays undefined: the probes of configure scripts, CMake and Meson ask
 * so whether a function exists, and the answer has to be no. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/build/cache.h"
#include "checker/build/cc.h"
#include "checker/memory.h"

static const struct {
    const char *name, *why;
} refused[] = {
#define VM_REFUSED(name, why) {name, why},
#include "vm/refused.def"
};
enum { COUNT = sizeof refused / sizeof *refused };

/* ---- what main names ------------------------------------------------------------- */

struct object {
    const unsigned char *data;
    size_t size;
    const Elf64_Shdr *sections;
    size_t nsections;
};

static bool is_inside(const struct object *o, uint64_t offset, uint64_t size)
{
    return offset <= o->size && size <= o->size - offset;
}

/* Returns the section of a number, if all of it is there and it has items of that size; or
 * NULL. */
static const Elf64_Shdr *section_at(const struct object *o, size_t k, size_t item)
{
    const Elf64_Shdr *s = k < o->nsections ? &o->sections[k] : NULL;
    bool good = s && is_inside(o, s->sh_offset, s->sh_size) && s->sh_offset % 8 == 0;
    return good && s->sh_entsize == item ? s : NULL;
}

/* Reads the sections; false if it is no object for a linker on this machine. */
static bool read_sections(struct object *o)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)o->data;
    if (o->size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB ||
        head->e_type != ET_REL || head->e_shentsize != sizeof *o->sections ||
        head->e_shoff % 8 != 0)
        return false;
    o->sections = (const Elf64_Shdr *)(o->data + head->e_shoff);
    o->nsections = head->e_shnum;
    return is_inside(o, head->e_shoff, o->nsections * sizeof *o->sections);
}

/* Returns the name of a symbol, "" if it has none. */
static const char *symbol_name(const struct object *o, const Elf64_Shdr *table,
                               const Elf64_Sym *symbol)
{
    const Elf64_Shdr *names =
        table->sh_link < o->nsections ? &o->sections[table->sh_link] : NULL;
    if (!names || !is_inside(o, names->sh_offset, names->sh_size) ||
        symbol->st_name >= names->sh_size)
        return "";
    const char *name = (const char *)o->data + names->sh_offset + symbol->st_name;
    return memchr(name, 0, names->sh_size - symbol->st_name) ? name : "";
}

/* Adds the names that the code of a function refers to. */
static void add_references(const struct object *o, const Elf64_Shdr *table,
                           const Elf64_Sym *function, struct strings *names)
{
    const Elf64_Sym *symbols = (const Elf64_Sym *)(o->data + table->sh_offset);
    size_t nsymbols = table->sh_size / sizeof *symbols;
    for (size_t k = 0; k < o->nsections; k++) {
        const Elf64_Shdr *s = section_at(o, k, sizeof(Elf64_Rela));
        if (!s || s->sh_type != SHT_RELA || s->sh_info != function->st_shndx)
            continue;
        const Elf64_Rela *list = (const Elf64_Rela *)(o->data + s->sh_offset);
        for (size_t r = 0; r < s->sh_size / sizeof *list; r++) {
            size_t symbol = ELF64_R_SYM(list[r].r_info);
            if (list[r].r_offset - function->st_value < function->st_size && symbol < nsymbols)
                strings_add(names, symbol_name(o, table, &symbols[symbol]));
        }
    }
}

static void add_main(const struct object *o, struct strings *names)
{
    for (size_t k = 0; k < o->nsections; k++) {
        const Elf64_Shdr *table = section_at(o, k, sizeof(Elf64_Sym));
        if (!table || table->sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(o->data + table->sh_offset);
        for (size_t s = 0; s < table->sh_size / sizeof *symbols; s++)
            if (ELF64_ST_TYPE(symbols[s].st_info) == STT_FUNC &&
                !strcmp(symbol_name(o, table, &symbols[s]), "main"))
                add_references(o, table, &symbols[s], names);
    }
}

void cc_main_names(const char *file, struct strings *names)
{
    struct object object = {0};
    char *data = cache_read(file, &object.size);
    object.data = (const unsigned char *)data;
    if (data && read_sections(&object))
        add_main(&object, names);
    free(data);
}

/* ---- what the linker is told ----------------------------------------------------- */

static bool has(const struct strings *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (!strcmp(names->at[i], name))
            return true;
    return false;
}

bool cc_refused_script(const char *file, const struct strings *by_main)
{
    FILE *out = fopen(file, "w");
    for (size_t k = 0; out && k < COUNT; k++)
        if (!has(by_main, refused[k].name))
            fprintf(out, "PROVIDE(%s = 0);\n", refused[k].name);
    bool good = out && !ferror(out);
    return out && fclose(out) == 0 && good;
}

void cc_refused_hint(const struct strings *by_main)
{
    for (size_t k = 0; k < COUNT; k++)
        if (has(by_main, refused[k].name))
            fprintf(stderr,
                    "divm: main names %s(), which divm does not support: %s "
                    "(-Wl,--unresolved-symbols=ignore-all links it all the same)\n",
                    refused[k].name, refused[k].why);
}
