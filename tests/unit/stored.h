/* stored.h - a store of made-up states, for the tests of the store.  It is the caller's. */
#ifndef TESTS_UNIT_STORED_H
#define TESTS_UNIT_STORED_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "mix.h"
#include "store/store.h"

/* The state with this fingerprint, found from that parent.  id may be NULL. */
static inline enum store_put put(struct store_user *user, uint64_t print, store_id parent,
                                 store_id *id)
{
    store_id unused;
    return store_find_or_put(user, (uint64_t[]){print, mix(print)}, parent, NULL,
                             id ? id : &unused);
}

static inline struct store *open_store(unsigned users, size_t max_bytes)
{
    struct store *store =
        store_open(&(struct store_options){.users = users, .max_bytes = max_bytes});
    assert_non_null(store);
    return store;
}

#endif
