/* load_elf.c - bitcode that objects and executables carry, one module behind the
 * other, in a section that divm cc makes and linkers join.
 *
 * Every number comes from a file that may be malformed: each is checked. */
#include <elf.h>
#include <string.h>

#include "vm/load/link/load_elf.h"

bool elf_is(const void *data, size_t size)
{
    const unsigned char *ident = data;
    return size >= sizeof(Elf64_Ehdr) && !memcmp(ident, ELFMAG, SELFMAG) &&
           ident[EI_CLASS] == ELFCLASS64 && ident[EI_DATA] == ELFDATA2LSB;
}

static bool section_at(const char *data, size_t size, const Elf64_Ehdr *header, uint32_t k,
                       Elf64_Shdr *section)
{
    uint64_t at = header->e_shoff + (uint64_t)k * sizeof *section;
    if (header->e_shoff > size || at + sizeof *section > size)
        return false;
    memcpy(section, data + at, sizeof *section);
    return section->sh_type == SHT_NOBITS ||
           (section->sh_offset <= size && section->sh_size <= size - section->sh_offset);
}

const char *elf_bitcode(const void *data, size_t size, size_t *length)
{
    static const char wanted[] = ".divm.bc";
    Elf64_Ehdr header;
    Elf64_Shdr first, names, section;
    memcpy(&header, data, sizeof header);
    if (header.e_shentsize != sizeof section || !section_at(data, size, &header, 0, &first))
        return NULL;
    uint64_t n = header.e_shnum ? header.e_shnum : first.sh_size;
    uint32_t table = header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx;
    if (n > size / sizeof section || !section_at(data, size, &header, table, &names) ||
        names.sh_type != SHT_STRTAB)
        return NULL;
    for (uint32_t k = 1; k < n; k++) {
        if (!section_at(data, size, &header, k, &section))
            return NULL;
        if (section.sh_type == SHT_NOBITS || section.sh_name >= names.sh_size ||
            names.sh_size - section.sh_name < sizeof wanted)
            continue;
        const char *name = (const char *)data + names.sh_offset + section.sh_name;
        if (!memcmp(name, wanted, sizeof wanted) && section.sh_size > 1) {
            *length = section.sh_size;
            return (const char *)data + section.sh_offset;
        }
    }
    return NULL;
}

/* ---- where a module ends --------------------------------------------------------- */

enum { WORD = 4, MAGIC = 4, IDENTIFICATION = 13, ENTER_SUBBLOCK = 1, ABBREVIATION_BITS = 2 };

/* Returns the size of a top-level block with its header, and sets its number; 0 if there is
 * none.  The header is an abbreviation of 2 bits, the number in groups of 8, a width in groups
 * of 4 bits, and, from the next whole word on, how many words follow. */
static size_t block_at(const char *at, size_t size, unsigned *number)
{
    uint32_t word, words;
    if (size < 2 * (size_t)WORD)
        return 0;
    memcpy(&word, at, WORD);
    memcpy(&words, at + WORD, WORD);
    if ((word & ((1 << ABBREVIATION_BITS) - 1)) != ENTER_SUBBLOCK)
        return 0;
    *number = word >> ABBREVIATION_BITS & 0xff;
    size_t whole = 2 * (size_t)WORD + (size_t)words * WORD;
    return whole <= size ? whole : 0;
}

size_t elf_module(const char *at, size_t size)
{
    if (size < MAGIC || memcmp(at, "BC\xc0\xde", MAGIC))
        return 0;
    size_t end = MAGIC, block;
    unsigned number;
    while ((block = block_at(at + end, size - end, &number))) {
        if (number == IDENTIFICATION && end > MAGIC)
            break;
        end += block;
    }
    return end;
}
