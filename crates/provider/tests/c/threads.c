/* Many threads, each with contexts of its own, some of them copies of one that all share; the provider is
 * loaded and unloaded beside in a library context of its own. Usage: threads [ROUNDS] */
#include "support.h"
#include <pthread.h>

enum { THREADS = 8, SIZE = 2000 };

static int rounds = 10;

static unsigned char plain[SIZE], expected[COUNT][SIZE + 8];
static int expected_len[COUNT];
static EVP_CIPHER_CTX *first[COUNT];

/* The two that take no messages in pieces: a record is sealed alike, a key wrapped with a random IV and unwrapped. */
static EVP_CIPHER_CTX *seals, *wraps, *unwraps;
enum { KEY = 40, TAG = 16 };
static unsigned char sealed[SIZE + TAG];

static void seal(const EVP_CIPHER_CTX *context, unsigned char *record)
{
    unsigned char header[13] = {[11] = SIZE >> 8, [12] = SIZE & 0xff};
    EVP_CIPHER_CTX *copy = copy_of(context);
    memcpy(record, plain, SIZE);
    CHECK(EVP_CIPHER_CTX_ctrl(copy, EVP_CTRL_AEAD_TLS1_AAD, sizeof header, header) == TAG);
    CHECK(EVP_Cipher(copy, record, record, SIZE + TAG) == SIZE + TAG);
    EVP_CIPHER_CTX_free(copy);
}

static void wrap(void)
{
    unsigned char wrapped[KEY + 16], key[KEY];
    EVP_CIPHER_CTX *one = copy_of(wraps), *other = copy_of(unwraps);
    CHECK(EVP_Cipher(one, wrapped, plain, KEY) == sizeof wrapped);
    CHECK(EVP_Cipher(other, key, wrapped, sizeof wrapped) == KEY);
    CHECK(memcmp(key, plain, KEY) == 0);
    EVP_CIPHER_CTX_free(one);
    EVP_CIPHER_CTX_free(other);
}

static EVP_CIPHER_CTX *begun(const char *name, const unsigned char *key, int encrypts)
{
    EVP_CIPHER *ours = ours_of(name);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    CHECK(EVP_CipherInit_ex2(context, ours, key, NULL, encrypts, NULL) == 1);
    EVP_CIPHER_free(ours);
    return context;
}

static void *work(void *number)
{
    int round;
    size_t n;
    unsigned char *out = malloc(SIZE + 16);
    for (round = 0; round < rounds; round++) {
        for (n = 0; n < COUNT; n++) {
            EVP_CIPHER_CTX *copy = copy_of(first[n]);
            int done = 0, len = 0, piece = 1 + (int)((n + (size_t)round * 37 + *(size_t *)number * 101) % 1500);
            for (len = 0; len < SIZE; len += piece) {
                int count;
                int now = SIZE - len < piece ? SIZE - len : piece;
                CHECK(EVP_EncryptUpdate(copy, out + done, &count, plain + len, now) == 1);
                done += count;
            }
            CHECK(EVP_EncryptFinal_ex(copy, out + done, &len) == 1);
            CHECK(done + len == expected_len[n] && memcmp(out, expected[n], (size_t)(done + len)) == 0);
            EVP_CIPHER_CTX_free(copy);
        }
        seal(seals, out);
        CHECK(memcmp(out, sealed, sizeof sealed) == 0);
        wrap();
        OSSL_LIB_CTX *other = OSSL_LIB_CTX_new();
        OSSL_PROVIDER *again = OSSL_PROVIDER_load(other, "cipherloom");
        EVP_CIPHER *cipher = EVP_CIPHER_fetch(other, "DES3", NULL);
        CHECK(again != NULL && cipher != NULL);
        EVP_CIPHER_free(cipher);
        CHECK(OSSL_PROVIDER_unload(again) == 1);
        OSSL_LIB_CTX_free(other);
    }
    free(out);
    return NULL;
}

int main(int count, char **words)
{
    pthread_t threads[THREADS];
    size_t n, numbers[THREADS];
    unsigned char key[24], iv[8];
    if (count > 1) rounds = atoi(words[1]);
    load();
    fill(plain, SIZE);
    fill(key, sizeof key);
    fill(iv, sizeof iv);
    for (n = 0; n < COUNT; n++) {
        EVP_CIPHER *theirs = theirs_of(NAMES[n]), *ours = ours_of(NAMES[n]);
        EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
        int len;
        CHECK(EVP_EncryptInit_ex2(context, theirs, key, iv, NULL) == 1);
        CHECK(EVP_EncryptUpdate(context, expected[n], &expected_len[n], plain, SIZE) == 1);
        CHECK(EVP_EncryptFinal_ex(context, expected[n] + expected_len[n], &len) == 1);
        expected_len[n] += len;
        EVP_CIPHER_CTX_free(context);
        first[n] = EVP_CIPHER_CTX_new();
        CHECK(EVP_EncryptInit_ex2(first[n], ours, key, iv, NULL) == 1);
        EVP_CIPHER_free(theirs);
        EVP_CIPHER_free(ours);
    }
    seals = begun("RC4-HMAC-MD5", key, 1);
    CHECK(EVP_CIPHER_CTX_ctrl(seals, EVP_CTRL_AEAD_SET_MAC_KEY, sizeof iv, iv) > 0);
    seal(seals, sealed);
    wraps = begun("DES3-WRAP", key, 1);
    unwraps = begun("DES3-WRAP", key, 0);
    for (n = 0; n < THREADS; n++) {
        numbers[n] = n;
        CHECK(pthread_create(&threads[n], NULL, work, &numbers[n]) == 0);
    }
    for (n = 0; n < THREADS; n++) CHECK(pthread_join(threads[n], NULL) == 0);
    for (n = 0; n < COUNT; n++) EVP_CIPHER_CTX_free(first[n]);
    EVP_CIPHER_CTX_free(seals);
    EVP_CIPHER_CTX_free(wraps);
    EVP_CIPHER_CTX_free(unwraps);
    unload();
    printf("%d threads agree\n", THREADS);
    return 0;
}
