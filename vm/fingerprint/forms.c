/* forms.c - see forms.h. */
#include "forms.h"

#include <stdlib.h>
#include <string.h>

#include "effort.h"
#include "thread_symmetry.h"
#include "vm/heap/inchash.h"
#include "vm/heap/memory.h"

enum { RESTS = 1 << 15, RANKED = 1 << 14 };
enum { ENOUGH_RESTS = VM_TRIES / 4, ENOUGH_RANKED = VM_TRIES / 2 };

/* The form of the visited rest after a transition; the tag stands for the rest before, and the
 * transition. */
struct rest {
    uint64_t tag; /* 0: none */
    uint64_t hash[2], leak_sum, keys;
};

/* The hash of a rest with symmetric threads; the tag stands for the rest, and which of the
 * threads look alike. */
struct ranked {
    uint64_t tag; /* 0: none */
    uint64_t hash[2];
};

struct vm_forms {
    bool keeps_rests, keeps_ranked;
    struct rest *rests;    /* by tags, NULL: none */
    struct ranked *ranked; /* likewise */
    uint64_t tag;          /* of the transition that is executed, or 0 */
    struct vm_effort rests_tried, ranked_tried;
#ifdef DIVM_DEBUG
    unsigned turn;
#endif
};

struct vm_forms *vm_forms_new(bool rests, bool ranked)
{
    struct vm_forms *f = vm_alloc(sizeof *f);
    *f = (struct vm_forms){.keeps_rests = rests, .keeps_ranked = ranked};
    vm_effort_init(&f->rests_tried);
    vm_effort_init(&f->ranked_tried);
    return f;
}

void vm_forms_forget(struct vm_forms *f)
{
    free(f->rests);
    free(f->ranked);
    f->ranked = NULL;
    f->rests = NULL;
    f->tag = 0;
}

void vm_forms_free(struct vm_forms *f)
{
    if (f)
        vm_forms_forget(f);
    free(f);
}

size_t vm_forms_bytes(const struct vm_forms *f)
{
    return (f->rests ? RESTS * sizeof *f->rests : 0) +
           (f->ranked ? RANKED * sizeof *f->ranked : 0);
}

/* ---- what is visited ------------------------------------------------------------- */

uint64_t vm_forms_tag(const struct vm_inchash *s, uint64_t transition)
{
    if (!s->visited)
        return 0;
    return vm_fold(s->rest[0] ^ vm_fold(s->rest_keys ^ vm_fold(transition)));
}

void vm_forms_begin(struct vm_forms *f, uint64_t tag)
{
    f->tag = f->keeps_rests ? tag : 0;
}

/* Returns the rest with a tag; NULL if it is not kept. */
static const struct rest *find_rest(const struct vm_forms *f, uint64_t tag)
{
    const struct rest *rest = f->rests && tag ? &f->rests[tag % RESTS] : NULL;
    return rest && rest->tag == tag ? rest : NULL;
}

static bool put_rest(struct vm_inchash *s, const struct rest *rest)
{
    if (!rest)
        return false;
    memcpy(s->rest, rest->hash, sizeof s->rest);
    s->rest_leak_sum = rest->leak_sum;
    s->rest_keys = rest->keys;
    return true;
}

bool vm_forms_predict(struct vm_forms *f, uint64_t tag, struct vm_inchash *s)
{
    if (!tag || f->rests_tried.skip)
        return false;
    bool found = put_rest(s, find_rest(f, tag));
    vm_effort_count(&f->rests_tried, found, ENOUGH_RESTS);
    return found;
}

bool vm_forms_recall(const struct vm_forms *f, struct vm_inchash *s)
{
    bool found = put_rest(s, find_rest(f, f->tag));
    if (found)
        s->visited = !s->nraw;
    return found;
}

void vm_forms_note(struct vm_forms *f, const struct vm_inchash *s)
{
    uint64_t tag = f->tag;
    f->tag = 0;
    if (!tag || !s->visited)
        return;
    if (f->rests_tried.skip) {
        f->rests_tried.skip--;
        return;
    }
    if (!f->rests)
        f->rests = vm_zeros(RESTS, sizeof *f->rests);
    f->rests[tag % RESTS] =
        (struct rest){tag, {s->rest[0], s->rest[1]}, s->rest_leak_sum, s->rest_keys};
}

/* ---- by the order of symmetric threads ------------------------------------------- */

/* Returns the tag of a form in canonical order: what is visited, and which symmetric threads
 * look alike, decide it (canonical_order.h). */
static uint64_t ranked_tag(const struct vm_inchash *s, const struct vm_symmetry *symmetry,
                           uint64_t footprint)
{
    uint64_t tag = vm_fold(s->rest[0] ^ vm_fold(s->rest_keys ^ s->stable_ids->hash)), ranks;
    tag = vm_fold(tag ^ footprint);
    for (size_t k = 0; k < sizeof symmetry->cell; k += sizeof ranks) {
        memcpy(&ranks, symmetry->cell + k, sizeof ranks);
        if (ranks)
            tag = vm_fold(tag ^ vm_fold(ranks + k));
    }
    return tag;
}

bool vm_forms_asks_ranked(struct vm_forms *f)
{
    if (!f->keeps_ranked)
        return false;
#ifdef DIVM_DEBUG /* now and then all is made anew */
    if (++f->turn % 4 == 0)
        return false;
#endif
    if (f->ranked_tried.skip)
        return f->ranked_tried.skip--, false;
    return true;
}

bool vm_forms_ranked(struct vm_forms *f, const struct vm_inchash *s, uint64_t footprint,
                     struct vm_symmetry *symmetry, bool known)
{
    uint64_t tag = f->ranked ? ranked_tag(s, symmetry, footprint) : 0;
    const struct ranked *ranked = tag ? &f->ranked[tag % RANKED] : NULL;
    bool found = ranked && ranked->tag == tag;
    if (found)
        memcpy(symmetry->rest, ranked->hash, sizeof symmetry->rest);
    vm_effort_count(&f->ranked_tried, found && known, ENOUGH_RANKED);
    return found;
}

void vm_forms_note_ranked(struct vm_forms *f, const struct vm_inchash *s, uint64_t footprint,
                          const struct vm_symmetry *symmetry)
{
    if (!f->keeps_ranked)
        return;
    if (!f->ranked)
        f->ranked = vm_zeros(RANKED, sizeof *f->ranked);
    uint64_t tag = ranked_tag(s, symmetry, footprint);
    f->ranked[tag % RANKED] = (struct ranked){tag, {symmetry->rest[0], symmetry->rest[1]}};
}
