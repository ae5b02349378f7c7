/* OpenSSL by its EVP interface, what programs use; DES and RC4 come from the legacy provider. */
#include "face.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <string.h>

DECLARE_FACE(openssl_evp);
DECLARE_EACH(openssl_evp);

struct state {
    EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *ctx;
    uint8_t iv[BLOCK];
    int key_len;
};

const char *openssl_evp_load(void)
{
    static int loaded;
    if (!loaded)
        loaded = OSSL_PROVIDER_load(NULL, "default") && OSSL_PROVIDER_load(NULL, "legacy");
    return loaded ? OpenSSL_version(OPENSSL_VERSION) : NULL;
}

static void go_on(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    int out;
    (void)key;
    need(EVP_CipherUpdate(state->ctx, data, &out, data, (int)len), "EVP_CipherUpdate");
}

static void from_iv(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    need(EVP_CipherInit_ex2(state->ctx, NULL, NULL, state->iv, -1, NULL), "EVP_CipherInit_ex2");
    go_on(opaque, key, data, len);
}

static void new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    need(EVP_CipherInit_ex2(state->ctx, NULL, key, NULL, -1, NULL), "EVP_CipherInit_ex2");
    go_on(opaque, key, data, len);
}

static void close_state(void *opaque)
{
    struct state *state = opaque;
    EVP_CIPHER_CTX_free(state->ctx);
    EVP_CIPHER_free(state->cipher);
    free(state);
}

static const char *name(enum cipher cipher, enum operation operation)
{
    int is_cbc = operation == CBC_ENCRYPT || operation == CBC_DECRYPT;
    switch (cipher) {
    case CIPHER_DES:
        return is_cbc ? "DES-CBC" : "DES-ECB";
    case CIPHER_DES3:
        return is_cbc ? "DES-EDE3-CBC" : "DES-EDE3-ECB";
    default:
        return "RC4";
    }
}

/* Gives NULL where the library has no such cipher. */
static struct state *new_state(const char *name, const uint8_t *key, const uint8_t *iv, int encrypts)
{
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    state->ctx = EVP_CIPHER_CTX_new();
    /* Without a key this still says which way the cipher goes. */
    if (!state->cipher || !state->ctx
        || !EVP_CipherInit_ex2(state->ctx, state->cipher, key, iv, encrypts, NULL)
        || !EVP_CIPHER_CTX_set_padding(state->ctx, 0)) {
        close_state(state);
        return NULL;
    }
    return state;
}

enum answer openssl_evp_open(struct work *work, enum cipher cipher, enum operation operation,
                             const uint8_t *key, const uint8_t *iv)
{
    if (operation == CTR_CRYPT)
        return ABSENT;
    int is_cbc = operation == CBC_ENCRYPT || operation == CBC_DECRYPT;
    struct state *state =
        new_state(name(cipher, operation), key, is_cbc ? iv : NULL, operation != CBC_DECRYPT);
    if (!state)
        return FAILED;
    memcpy(state->iv, iv, sizeof state->iv);
    work->run = operation == NEW_KEY ? new_key : is_cbc ? from_iv : go_on;
    work->close = close_state;
    work->state = state;
    return READY;
}

static void each_new_key(void *opaque, const struct records *records)
{
    struct state *state = opaque;
    for (size_t n = 0; n < records->count; n++) {
        const uint8_t *key = records->keys + n * (size_t)state->key_len;
        const uint8_t *iv = records->ivs + n * BLOCK;
        need(EVP_CipherInit_ex2(state->ctx, NULL, key, iv, -1, NULL), "EVP_CipherInit_ex2");
        go_on(state, NULL, records->data + n * records->len, records->len);
    }
}

enum answer openssl_evp_open_each(struct each *each, enum cipher cipher, int encrypts)
{
    struct state *state = new_state(name(cipher, CBC_ENCRYPT), NULL, NULL, encrypts);
    if (!state)
        return FAILED;
    state->key_len = key_len(cipher);
    each->run = each_new_key;
    each->close = close_state;
    each->state = state;
    return READY;
}
