/* Records of TLS by RC4-HMAC-MD5: what one provider seals the other opens, and both refuse the same.
 * Usage: records [ROUNDS] */
#include "support.h"

enum { MOST = 16384, HEADER = 13, TAG = 16, BEHIND = 0xa5 };

typedef struct {
    unsigned char key[16], mac_key[100];
    size_t mac_len;
} keys;

static EVP_CIPHER_CTX *context_of(EVP_CIPHER *cipher, keys *of, int encrypts)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    CHECK(context != NULL && EVP_CipherInit_ex2(context, cipher, of->key, NULL, encrypts, NULL) == 1);
    CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_MAC_KEY, (int)of->mac_len, of->mac_key) > 0);
    return context;
}

/* A record's header says how long it is: with its MAC, if it is to be opened. */
static int begin(EVP_CIPHER_CTX *context, const unsigned char *header, size_t len)
{
    unsigned char own[HEADER];
    memcpy(own, header, HEADER);
    own[HEADER - 2] = (unsigned char)(len >> 8);
    own[HEADER - 1] = (unsigned char)len;
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_TLS1_AAD, HEADER, own);
}

/* The next record of a connection, by one of the two calls that programs have. */
static int record(EVP_CIPHER_CTX *context, const unsigned char *header, size_t said, unsigned char *data, size_t len)
{
    int written = -1;
    CHECK(begin(context, header, said) == TAG);
    data[len] = BEHIND;
    if (any() & 1) {
        if (EVP_CipherUpdate(context, data, &written, data, (int)len) != 1) written = -1;
    } else {
        written = EVP_Cipher(context, data, data, (unsigned)len);
        if (written <= 0) written = -1;
    }
    CHECK(data[len] == BEHIND && (written == -1 || written == (int)len));
    return written;
}

static void connection(EVP_CIPHER *theirs, EVP_CIPHER *ours, int copies)
{
    static unsigned char plain[MOST], sealed[2][MOST + TAG + 1], opened[MOST + TAG + 1];
    EVP_CIPHER_CTX *seal[2], *open[2], *copy;
    unsigned char header[HEADER];
    int side, n, records = 1 + (int)below(5);
    keys of;
    fill(of.key, sizeof of.key);
    fill(of.mac_key, sizeof of.mac_key);
    of.mac_len = 1 + below(sizeof of.mac_key);
    for (side = 0; side < 2; side++) {
        seal[side] = context_of(side ? ours : theirs, &of, 1);
        open[side] = context_of(side ? ours : theirs, &of, 0);
    }
    for (n = 0; n < records; n++) {
        size_t len = any() & 1 ? below(200) : below(MOST);
        fill(header, sizeof header);
        fill(plain, len);
        for (side = 0; side < 2; side++) {
            memcpy(sealed[side], plain, len);
            CHECK(record(seal[side], header, len, sealed[side], len + TAG) >= 0);
        }
        CHECK(memcmp(sealed[0], sealed[1], len + TAG) == 0);
        if (copies) {
            /* In the middle of a record: its header is known. */
            memcpy(opened, sealed[0], len + TAG);
            CHECK(begin(open[1], header, len + TAG) == TAG);
            copy = copy_of(open[1]);
            CHECK(EVP_Cipher(copy, opened, opened, (unsigned)(len + TAG)) == (int)(len + TAG));
            CHECK(memcmp(opened, plain, len) == 0);
            EVP_CIPHER_CTX_free(copy);
        }
        for (side = 0; side < 2; side++) {
            memcpy(opened, sealed[0], len + TAG);
            CHECK(record(open[side], header, len + TAG, opened, len + TAG) >= 0);
            CHECK(memcmp(opened, plain, len) == 0);
        }
    }
    /* Data without a header before it: RC4 alone. */
    for (side = 0; side < 2; side++) {
        memset(sealed[side], 0, 50);
        CHECK(EVP_Cipher(seal[side], sealed[side], sealed[side], 50) == 50);
    }
    CHECK(memcmp(sealed[0], sealed[1], 50) == 0);
    for (side = 0; side < 2; side++) EVP_CIPHER_CTX_free(seal[side]), EVP_CIPHER_CTX_free(open[side]);
}

/* Who names the protocol is told how long a record is without its MAC. */
static void named(EVP_CIPHER *theirs, EVP_CIPHER *ours)
{
    unsigned char header[HEADER] = {0}, sealed[80 + TAG] = {0}, opened[80 + TAG];
    unsigned version = 0x0301;
    OSSL_PARAM params[2] = {OSSL_PARAM_construct_uint("tls-version", &version), OSSL_PARAM_construct_end()};
    int side, written;
    keys of = {.mac_len = TAG};
    for (side = 0; side < 2; side++) {
        EVP_CIPHER_CTX *seal = context_of(side ? ours : theirs, &of, 1), *open = context_of(side ? theirs : ours, &of, 0);
        CHECK(EVP_CIPHER_CTX_set_params(seal, params) == 1 && EVP_CIPHER_CTX_set_params(open, params) == 1);
        memset(sealed, side, sizeof sealed);
        CHECK(begin(seal, header, 80) == TAG && begin(open, header, 80 + TAG) == TAG);
        CHECK(EVP_CipherUpdate(seal, sealed, &written, sealed, sizeof sealed) == 1 && written == sizeof sealed);
        CHECK(EVP_CipherUpdate(open, opened, &written, sealed, sizeof sealed) == 1 && written == 80);
        for (written = 0; written < 80; written++) CHECK(opened[written] == side);
        EVP_CIPHER_CTX_free(seal);
        EVP_CIPHER_CTX_free(open);
    }
}

/* One bit of a record, of its MAC or of its header is another; or it has another length. */
static void damaged(EVP_CIPHER *theirs, EVP_CIPHER *ours)
{
    unsigned char header[HEADER], plain[300], sealed[300 + TAG + 1], data[300 + TAG + 2];
    size_t n, len = below(sizeof plain), place;
    int side, which = (int)below(3);
    EVP_CIPHER_CTX *context;
    keys of;
    fill(of.key, sizeof of.key);
    fill(of.mac_key, sizeof of.mac_key);
    of.mac_len = TAG;
    fill(header, sizeof header);
    fill(plain, len);
    memcpy(sealed, plain, len);
    context = context_of(ours, &of, 1);
    CHECK(record(context, header, len, sealed, len + TAG) >= 0);
    EVP_CIPHER_CTX_free(context);
    place = which == 0 ? below(len + TAG) : below(HEADER - 2);
    if (which < 2) (which == 0 ? sealed : header)[place] ^= (unsigned char)(1 << below(8));
    for (side = 0; side < 2; side++) {
        size_t all = len + TAG + (which == 2);
        memcpy(data, sealed, len + TAG);
        context = context_of(side ? ours : theirs, &of, 0);
        CHECK(record(context, header, len + TAG, data, all) == -1);
        ERR_clear_error();
        if (side)
            for (n = 0; n < all; n++) CHECK(data[n] == 0);
        EVP_CIPHER_CTX_free(context);
    }
}

/* Headers and parameters that make no sense. */
static void refused(EVP_CIPHER *theirs, EVP_CIPHER *ours)
{
    unsigned char header[HEADER] = {0}, long_key[32] = {0};
    size_t size = 0;
    int side;
    keys of = {.mac_len = TAG};
    for (side = 0; side < 2; side++) {
        EVP_CIPHER *cipher = side ? ours : theirs;
        EVP_CIPHER_CTX *context = context_of(cipher, &of, 0);
        OSSL_PARAM params[2] = {OSSL_PARAM_construct_size_t("tlsaadpad", &size), OSSL_PARAM_construct_end()};
        CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_TLS1_AAD, HEADER - 1, header) <= 0);
        CHECK(begin(context, header, TAG - 1) <= 0);
        CHECK(begin(context, header, TAG) == TAG);
        CHECK(EVP_CIPHER_CTX_get_params(context, params) == 1 && size == TAG);
        CHECK(EVP_CIPHER_CTX_set_key_length(context, 15) <= 0 && EVP_CIPHER_CTX_set_key_length(context, 16) > 0);
        params[0] = OSSL_PARAM_construct_octet_string("mackey", long_key, sizeof long_key);
        CHECK(EVP_CIPHER_CTX_set_params(context, params) == 1);
        params[0] = OSSL_PARAM_construct_size_t("mackey", &size);
        CHECK(EVP_CIPHER_CTX_set_params(context, params) == 0);
        EVP_CIPHER_CTX_free(context);
        ERR_clear_error();
    }
}

int main(int count, char **words)
{
    int rounds = count > 1 ? atoi(words[1]) : 100, n;
    load();
    EVP_CIPHER *theirs = theirs_of("RC4-HMAC-MD5"), *ours = ours_of("RC4-HMAC-MD5");
    about = "RC4-HMAC-MD5";
    refused(theirs, ours);
    named(theirs, ours);
    for (n = 0; n < rounds; n++) {
        step = (unsigned)n;
        connection(theirs, ours, n & 1);
        damaged(theirs, ours);
    }
    EVP_CIPHER_free(theirs);
    EVP_CIPHER_free(ours);
    unload();
    printf("%d connections agree\n", rounds);
    return 0;
}
