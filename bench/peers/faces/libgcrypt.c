/* libgcrypt. */
#include "face.h"

#include <gcrypt.h>
#include <string.h>

DECLARE_FACE(libgcrypt);

struct state {
    gcry_cipher_hd_t handle;
    uint8_t iv[BLOCK];
    int key_len;
};

const char *libgcrypt_load(void)
{
    static const char *version;
    if (!version) {
        version = gcry_check_version(GCRYPT_VERSION);
        if (version) {
            gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
            gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
        }
    }
    return version;
}

static void go_on(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    (void)key;
    need(!gcry_cipher_encrypt(state->handle, data, len, NULL, 0), "gcry_cipher_encrypt");
}

static void encrypt_from_iv(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    need(!gcry_cipher_setiv(state->handle, state->iv, BLOCK), "gcry_cipher_setiv");
    go_on(opaque, key, data, len);
}

static void decrypt_from_iv(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    (void)key;
    need(!gcry_cipher_setiv(state->handle, state->iv, BLOCK), "gcry_cipher_setiv");
    need(!gcry_cipher_decrypt(state->handle, data, len, NULL, 0), "gcry_cipher_decrypt");
}

static void from_counter(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    need(!gcry_cipher_setctr(state->handle, state->iv, BLOCK), "gcry_cipher_setctr");
    go_on(opaque, key, data, len);
}

static void new_key(void *opaque, const uint8_t *key, uint8_t *data, size_t len)
{
    struct state *state = opaque;
    need(!gcry_cipher_setkey(state->handle, key, (size_t)state->key_len), "gcry_cipher_setkey");
    go_on(opaque, key, data, len);
}

static void close_state(void *opaque)
{
    struct state *state = opaque;
    gcry_cipher_close(state->handle);
    free(state);
}

enum answer libgcrypt_open(struct work *work, enum cipher cipher, enum operation operation,
                           const uint8_t *key, const uint8_t *iv)
{
    static const int ciphers[] = { GCRY_CIPHER_DES, GCRY_CIPHER_3DES, GCRY_CIPHER_ARCFOUR };
    int mode = GCRY_CIPHER_MODE_ECB;
    if (cipher == CIPHER_RC4)
        mode = GCRY_CIPHER_MODE_STREAM;
    work->run = go_on;
    switch (operation) {
    case CBC_ENCRYPT:
        mode = GCRY_CIPHER_MODE_CBC;
        work->run = encrypt_from_iv;
        break;
    case CBC_DECRYPT:
        mode = GCRY_CIPHER_MODE_CBC;
        work->run = decrypt_from_iv;
        break;
    case CTR_CRYPT:
        mode = GCRY_CIPHER_MODE_CTR;
        work->run = from_counter;
        break;
    case NEW_KEY:
        work->run = new_key;
        break;
    default:
        break;
    }
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return FAILED;
    memcpy(state->iv, iv, sizeof state->iv);
    state->key_len = key_len(cipher);
    if (gcry_cipher_open(&state->handle, ciphers[cipher], mode, 0)
        || gcry_cipher_setkey(state->handle, key, (size_t)state->key_len)) {
        close_state(state);
        return FAILED;
    }
    work->close = close_state;
    work->state = state;
    return READY;
}
