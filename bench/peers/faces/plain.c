/* C of our own, to be compiled with several sets of flags: the name of each variant comes with
 * -DVARIANT. */
#include "face.h"
#include "plain_des.h"
#include "plain_rc4.h"

#include <string.h>

#define PASTE(a, b) a##b
#define NAMED(variant, name) PASTE(variant, name)

FACE const char *NAMED(VARIANT, _load)(void);
FACE enum answer NAMED(VARIANT, _open)(struct work *work, enum cipher cipher,
                                       enum operation operation, const uint8_t *key,
                                       const uint8_t *iv);

struct state {
    struct des des[3];
    struct rc4 rc4;
    uint8_t iv[BLOCK];
    int keys;
};

const char *NAMED(VARIANT, _load)(void)
{
    des_make_tables();
    return __VERSION__;
}

static void cbc_encrypt(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    const uint8_t *previous = state->iv;
    (void)key;
    for (size_t at = 0; at < len; at += BLOCK) {
        for (int n = 0; n < BLOCK; n++)
            data[at + (size_t)n] ^= previous[n];
        des_block(state->des, state->keys, 1, data + at);
        previous = data + at;
    }
}

static void cbc_decrypt(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    uint8_t previous[BLOCK], ciphertext[BLOCK];
    (void)key;
    memcpy(previous, state->iv, BLOCK);
    for (size_t at = 0; at < len; at += BLOCK) {
        memcpy(ciphertext, data + at, BLOCK);
        des_block(state->des, state->keys, 0, data + at);
        for (int n = 0; n < BLOCK; n++)
            data[at + (size_t)n] ^= previous[n];
        memcpy(previous, ciphertext, BLOCK);
    }
}

static void ecb(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    (void)key;
    for (size_t at = 0; at < len; at += BLOCK)
        des_block(state->des, state->keys, 1, data + at);
}

static void stream(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    (void)key;
    rc4_crypt(&state->rc4, data, len);
}

static void rc4_new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    rc4_set_key(&state->rc4, key, RC4_KEY_LEN);
    rc4_crypt(&state->rc4, data, len);
}

enum answer NAMED(VARIANT, _open)(struct work *work, enum cipher cipher, enum operation operation,
                                  const uint8_t *key, const uint8_t *iv)
{
    switch (operation) {
    case CBC_ENCRYPT:
        work->run = cbc_encrypt;
        break;
    case CBC_DECRYPT:
        work->run = cbc_decrypt;
        break;
    case ECB_ENCRYPT:
        work->run = ecb;
        break;
    case STREAM:
        work->run = stream;
        break;
    default:
        /* The key schedule of DES above goes bit by bit: a figure of it would say nothing. */
        if (operation == CTR_CRYPT || cipher != CIPHER_RC4)
            return ABSENT;
        work->run = rc4_new_key;
        break;
    }
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return FAILED;
    memcpy(state->iv, iv, sizeof state->iv);
    state->keys = key_len(cipher) / DES_KEY;
    if (cipher == CIPHER_RC4)
        rc4_set_key(&state->rc4, key, RC4_KEY_LEN);
    else
        for (int n = 0; n < state->keys; n++)
            des_set_key(&state->des[n], key + n * DES_KEY);
    work->close = free;
    work->state = state;
    return READY;
}
