/* store.h - the set of visited states, shared by all workers.
 *
 * Insert-only: a state keeps its id until store_close.  Of a state are kept a
 * 64-bit fingerprint, which is its id, and the first 31 bits of the id of the state it
 * was found from: 12 bytes a slot, at 75 to 86 % load once it is large.
 *
 * Among the states that lead to a new one within one level of a breadth-first
 * search, the smallest id becomes the parent: so the links don't depend on the
 * workers' timing, and neither does the reported error.  (Smallest as far as links tell.)
 * Before the first level, and of a search that has none, it is the first one.
 *
 * Threads: each thread has a struct store_user of its own, by index.  All calls
 * may run concurrently, except open, close, next_level and valid. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;
struct store_user;

/* The fingerprint of a state: stable, the same in every run. */
typedef uint64_t store_id;
enum { STORE_NONE = 0 }; /* no state has this id */

enum { STORE_FINGERPRINT_BITS = 64 };

struct store_options {
    unsigned users;   /* how many threads use it */
    size_t max_bytes; /* what all tables may occupy, 0 = no limit */
    bool exact;       /* store_contents and store_graph will be used */
};

/* Opens a store; NULL if there is no memory for the smallest table. */
struct store *store_open(const struct store_options *options);
void store_close(struct store *store);
/* Returns the handle of thread i of options.users; owned by the store. */
struct store_user *store_user(struct store *store, unsigned i);

enum store_put {
    STORE_NEW,
    STORE_FOUND,
    STORE_FULL, /* not found, and the limit leaves no room */
};

/* How far a state was looked for in vain.  All 0: it was not looked for. */
struct store_place {
    store_id id;
    size_t group, ngroups; /* it holds as long as the segment has so many groups */
    unsigned passed;       /* slots of that group */
};

/* Begins the next level: the parents of states that were found before are final.  No other call
 * goes on meanwhile. */
void store_next_level(struct store *store);
/* Looks a state up, or puts it in with its parent (STORE_NONE for a root).  place tells where
 * it was looked for already, or is NULL.  *id is set in any case. */
enum store_put store_find_or_put(struct store_user *user, const uint64_t hash[2],
                                 store_id parent, const struct store_place *place,
                                 store_id *id);
/* Does what store_find_or_put does for a state that is there.  If it is not, returns false:
 * nothing is put in, `place` says where store_find_or_put goes on, and the slots that would be
 * written are prefetched. */
bool store_find(struct store_user *user, store_id id, store_id parent,
                struct store_place *place);
/* Brings the slots near where that state is, or would be put: most likely it is there. */
void store_prefetch(const struct store *store, store_id id);

/* Numbers for exact stores, instead of hashes.  store_contents: a number below 2^29 that no
 * other contents have (0: there is no room).  store_graph: a hash that no other tag and graph
 * have (false: there is no room, or was none for contents since the last graph).  A graph is a
 * list of nodes, for each a word of its number (<< 32), flags and how many edges it has, and a
 * word for each edge: 0 if it leads to a node not met before, the next one in the list that is
 * no root; or else any number below 2^29. Which nodes are roots and how many edges each has
 * must follow from the numbers of the nodes before and its own. */
#define STORE_GRAPH_ROOT ((uint64_t)1 << 31)
#define STORE_GRAPH_EDGES (STORE_GRAPH_ROOT - 1)
uint32_t store_contents(struct store_user *user, const void *bytes, size_t n);
bool store_graph(struct store_user *user, bool tag, const uint64_t *words, size_t n,
                 uint64_t hash[2]);

/* Returns the id that a hash gets. */
store_id store_id_of(const uint64_t hash[2]);
bool store_has(struct store_user *user, store_id id);
/* The level in which a state was found that is in the store: the one that goes on, the one
 * before, or an earlier one; LONG_AGO: the latter, or it is not known. */
enum store_age { STORE_LONG_AGO, STORE_BEFORE, STORE_NOW };
enum store_age store_age(struct store_user *user, store_id id);
/* Was a state that is in the store put in without a parent? */
bool store_is_root(struct store_user *user, store_id id);
/* Returns the states that a state may have been found from, in order: the first one above
 * `after` (STORE_NONE to begin with), or STORE_NONE.  Its parent is among them, and others that
 * begin with the same bits: of ten million states one in two hundred has two. */
store_id store_next_parent(struct store_user *user, store_id id, store_id after);

/* All that is in a store, as bytes of this program and machine, while no other call goes on:
 * written, or read into a store that was just opened with the same `exact`, for any number of
 * users.  move writes or reads so many bytes; false ends it.  False: that, or no room. */
struct store_stream {
    bool (*move)(void *context, void *bytes, size_t n);
    void *context;
};
bool store_save(struct store *store, const struct store_stream *to);
bool store_load(struct store *store, const struct store_stream *from);

struct store_stats {
    uint64_t states, slots;
    size_t bytes, peak_bytes; /* of all tables */
    size_t small_bytes;       /* of those, what malloc has */
};
struct store_stats store_stats(const struct store *store);

/* Checks every invariant; aborts on a broken one. */
void store_valid(struct store *store);

#endif
