/* Nettle. */
#include "face.h"

#include <nettle/arcfour.h>
#include <nettle/cbc.h>
#include <nettle/ctr.h>
#include <nettle/des.h>
#include <nettle/version.h>
#include <string.h>

DECLARE_FACE(nettle);

struct state {
    struct des_ctx des;
    struct des3_ctx des3;
    struct arcfour_ctx rc4;
    uint8_t iv[BLOCK];
    /* The cipher that the modes call, and its key. */
    const void *ctx;
    nettle_cipher_func *encrypt, *decrypt;
};

const char *nettle_load(void)
{
    static char version[32];
    snprintf(version, sizeof version, "%d.%d", nettle_version_major(), nettle_version_minor());
    return version;
}

static void cbc_enc(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    uint8_t iv[BLOCK];
    (void)key;
    memcpy(iv, state->iv, sizeof iv);
    cbc_encrypt(state->ctx, state->encrypt, BLOCK, iv, len, data, data);
}

static void cbc_dec(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    uint8_t iv[BLOCK];
    (void)key;
    memcpy(iv, state->iv, sizeof iv);
    cbc_decrypt(state->ctx, state->decrypt, BLOCK, iv, len, data, data);
}

static void ecb(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    (void)key;
    state->encrypt(state->ctx, len, data, data);
}

static void ctr(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    uint8_t counter[BLOCK];
    (void)key;
    memcpy(counter, state->iv, sizeof counter);
    ctr_crypt(state->ctx, state->encrypt, BLOCK, counter, len, data, data);
}

static void des_new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    need(des_set_key(&state->des, key), "des_set_key");
    des_encrypt(&state->des, len, data, data);
}

static void des3_new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    need(des3_set_key(&state->des3, key), "des3_set_key");
    des3_encrypt(&state->des3, len, data, data);
}

static void rc4_stream(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    (void)key;
    arcfour_crypt(&state->rc4, len, data, data);
}

static void rc4_new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    arcfour_set_key(&state->rc4, RC4_KEY_LEN, key);
    arcfour_crypt(&state->rc4, len, data, data);
}

enum answer nettle_open(struct work *work, enum cipher cipher, enum operation operation,
                        const uint8_t *key, const uint8_t *iv)
{
    struct state *state = calloc(1, sizeof *state);
    int ok = state != NULL;
    if (!ok)
        return FAILED;
    memcpy(state->iv, iv, sizeof state->iv);
    switch (cipher) {
    case CIPHER_DES:
        ok = des_set_key(&state->des, key);
        state->ctx = &state->des;
        state->encrypt = (nettle_cipher_func *)des_encrypt;
        state->decrypt = (nettle_cipher_func *)des_decrypt;
        break;
    case CIPHER_DES3:
        ok = des3_set_key(&state->des3, key);
        state->ctx = &state->des3;
        state->encrypt = (nettle_cipher_func *)des3_encrypt;
        state->decrypt = (nettle_cipher_func *)des3_decrypt;
        break;
    default:
        arcfour_set_key(&state->rc4, RC4_KEY_LEN, key);
        break;
    }
    switch (operation) {
    case CBC_ENCRYPT:
        work->run = cbc_enc;
        break;
    case CBC_DECRYPT:
        work->run = cbc_dec;
        break;
    case ECB_ENCRYPT:
        work->run = ecb;
        break;
    case CTR_CRYPT:
        work->run = ctr;
        break;
    case STREAM:
        work->run = rc4_stream;
        break;
    case NEW_KEY:
        work->run = cipher == CIPHER_RC4   ? rc4_new_key
                    : cipher == CIPHER_DES ? des_new_key
                                           : des3_new_key;
        break;
    }
    work->close = free;
    work->state = state;
    if (!ok)
        free(state);
    return ok ? READY : FAILED;
}
