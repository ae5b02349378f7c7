/* OpenSSL by its low-level functions, which are deprecated and have no overhead. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "face.h"

#include <openssl/crypto.h>
#include <openssl/des.h>
#include <openssl/rc4.h>
#include <string.h>

DECLARE_FACE(openssl_low);
DECLARE_EACH(openssl_low);
DECLARE_FACE(openssl_pieces);

struct state {
    DES_key_schedule ks[3];
    RC4_KEY rc4;
    uint8_t iv[BLOCK];
    int encrypts;
};

const char *openssl_low_load(void)
{
    return OpenSSL_version(OPENSSL_VERSION);
}

static void set_keys(struct state *state, enum cipher cipher, const uint8_t *key)
{
    for (int n = 0; n < key_len(cipher) / DES_KEY; n++)
        DES_set_key_unchecked((const_DES_cblock *)(key + n * DES_KEY), &state->ks[n]);
}

static void des_cbc(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    DES_cblock iv;
    (void)key;
    memcpy(iv, state->iv, sizeof iv);
    DES_ncbc_encrypt(data, data, (long)len, &state->ks[0], &iv, state->encrypts);
}

static void des3_cbc(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    DES_cblock iv;
    (void)key;
    memcpy(iv, state->iv, sizeof iv);
    DES_ede3_cbc_encrypt(data, data, (long)len, &state->ks[0], &state->ks[1], &state->ks[2], &iv,
                         state->encrypts);
}

static void des_ecb(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    (void)key;
    for (size_t at = 0; at < len; at += BLOCK)
        DES_ecb_encrypt((const_DES_cblock *)(data + at), (DES_cblock *)(data + at), &state->ks[0],
                        DES_ENCRYPT);
}

static void des3_ecb(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    (void)key;
    for (size_t at = 0; at < len; at += BLOCK)
        DES_ecb3_encrypt((const_DES_cblock *)(data + at), (DES_cblock *)(data + at), &state->ks[0],
                         &state->ks[1], &state->ks[2], DES_ENCRYPT);
}

static void des_new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    set_keys(opaque, CIPHER_DES, key);
    des_ecb(opaque, key, data, len);
}

static void des3_new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    set_keys(opaque, CIPHER_DES3, key);
    des3_ecb(opaque, key, data, len);
}

static void rc4_stream(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    (void)key;
    RC4(&state->rc4, len, data, data);
}

static void rc4_new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    RC4_set_key(&state->rc4, RC4_KEY_LEN, key);
    RC4(&state->rc4, len, data, data);
}

/* The loop for many bytes is slower than short calls on some processors. */
static void rc4_pieces(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    enum { PIECE = 16 };
    struct state *state = opaque;
    (void)key;
    for (size_t at = 0; at < len; at += PIECE)
        RC4(&state->rc4, PIECE, data + at, data + at);
}

enum answer openssl_low_open(struct work *work, enum cipher cipher, enum operation operation,
                             const uint8_t *key, const uint8_t *iv)
{
    int is_des = cipher == CIPHER_DES;
    switch (operation) {
    case CBC_ENCRYPT:
    case CBC_DECRYPT:
        work->run = is_des ? des_cbc : des3_cbc;
        break;
    case ECB_ENCRYPT:
        work->run = is_des ? des_ecb : des3_ecb;
        break;
    case STREAM:
        work->run = rc4_stream;
        break;
    case NEW_KEY:
        work->run = cipher == CIPHER_RC4 ? rc4_new_key : is_des ? des_new_key : des3_new_key;
        break;
    default:
        return ABSENT;
    }
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return FAILED;
    memcpy(state->iv, iv, sizeof state->iv);
    state->encrypts = operation == CBC_DECRYPT ? DES_DECRYPT : DES_ENCRYPT;
    if (cipher == CIPHER_RC4)
        RC4_set_key(&state->rc4, RC4_KEY_LEN, key);
    else
        set_keys(state, cipher, key);
    work->close = free;
    work->state = state;
    return READY;
}

static void des_each(void *opaque, const struct records *records)
{
    struct state *state = opaque;
    for (size_t n = 0; n < records->count; n++) {
        set_keys(state, CIPHER_DES, records->keys + n * DES_KEY);
        memcpy(state->iv, records->ivs + n * BLOCK, BLOCK);
        des_cbc(state, NULL, records->data + n * records->len, records->len);
    }
}

static void des3_each(void *opaque, const struct records *records)
{
    struct state *state = opaque;
    for (size_t n = 0; n < records->count; n++) {
        set_keys(state, CIPHER_DES3, records->keys + n * DES3_KEY);
        memcpy(state->iv, records->ivs + n * BLOCK, BLOCK);
        des3_cbc(state, NULL, records->data + n * records->len, records->len);
    }
}

enum answer openssl_low_open_each(struct each *each, enum cipher cipher, int encrypts)
{
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return FAILED;
    state->encrypts = encrypts ? DES_ENCRYPT : DES_DECRYPT;
    each->run = cipher == CIPHER_DES ? des_each : des3_each;
    each->close = free;
    each->state = state;
    return READY;
}

const char *openssl_pieces_load(void)
{
    return openssl_low_load();
}

enum answer openssl_pieces_open(struct work *work, enum cipher cipher, enum operation operation,
                                const uint8_t *key, const uint8_t *iv)
{
    if (operation != STREAM)
        return ABSENT;
    enum answer answer = openssl_low_open(work, cipher, operation, key, iv);
    work->run = rc4_pieces;
    return answer;
}
