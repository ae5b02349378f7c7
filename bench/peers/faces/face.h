/* What the face of a peer offers to the harness; `participants/foreign.rs` is the other side. */
#ifndef FACE_H
#define FACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum cipher { CIPHER_DES, CIPHER_DES3, CIPHER_RC4 };

enum operation {
    CBC_ENCRYPT, /* one message under a key that is ready, from the IV on */
    CBC_DECRYPT,
    ECB_ENCRYPT,
    CTR_CRYPT, /* from the IV on, which is the first counter */
    STREAM,    /* RC4 under a key that is ready; the stream goes on from call to call */
    NEW_KEY    /* a new key, then ECB, or RC4 from its start */
};

/* An operation that is ready to run. */
struct work {
    /* One call, in place. `key` is for NEW_KEY alone. */
    void (*run)(void *state, const uint8_t *key, uint8_t *data, size_t len);
    void (*close)(void *state);
    void *state;
};

/* Messages of one length with a key and an IV each, in flat buffers. */
struct records {
    const uint8_t *keys, *ivs;
    uint8_t *data; /* in place */
    size_t count;
    size_t len; /* of each, in bytes */
};

/* CBC over records, keys set up from their bytes, ready to run. */
struct each {
    void (*run)(void *state, const struct records *records);
    void (*close)(void *state);
    void *state;
};

/* READY: `work` is filled in. ABSENT: the peer has no such operation. */
enum answer { READY, ABSENT, FAILED };

enum { DES_KEY = 8, DES3_KEY = 24, RC4_KEY_LEN = 16, BLOCK = 8 };

static inline int key_len(enum cipher cipher)
{
    return cipher == CIPHER_DES ? DES_KEY : cipher == CIPHER_DES3 ? DES3_KEY : RC4_KEY_LEN;
}

/* A call that fails while it is measured would make a figure of nothing. */
static inline void need(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "peers: %s failed\n", what);
        exit(1);
    }
}

#ifdef __cplusplus
#define FACE extern "C"
#else
#define FACE
#endif

/* Every face has these two, called from one thread at a time: NAME_load makes the library ready
 * and gives its version, or NULL; NAME_open fills in `work`, with `key` set for all operations but
 * NEW_KEY. */
#define DECLARE_FACE(name)                                                        \
    FACE const char *name##_load(void);                                           \
    FACE enum answer name##_open(struct work *work, enum cipher cipher,           \
                                 enum operation operation, const uint8_t *key,    \
                                 const uint8_t *iv)

/* Some have a third: NAME_open_each fills in `each`, for DES and 3DES. */
#define DECLARE_EACH(name) \
    FACE enum answer name##_open_each(struct each *each, enum cipher cipher, int encrypts)

#endif
